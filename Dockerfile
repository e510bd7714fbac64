# The app for a shared server; docs/server.md says how to run it.
#   docker build -t dpcp-explorer .
FROM python:3.11-slim-bookworm AS build

ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
RUN python -m venv /opt/dpcp
ENV PATH=/opt/dpcp/bin:$PATH
WORKDIR /build

# What changes rarely comes first: torch without CUDA, then all else that the project depends on.
COPY constraints.txt pyproject.toml README.md LICENSE ./
RUN pip install --index-url https://download.pytorch.org/whl/cpu -c constraints.txt torch
RUN python -c "import tomllib; p = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
    print('\n'.join(p['dependencies'] + p['optional-dependencies']['postgres']))" > requirements.txt \
    && pip install -c constraints.txt -r requirements.txt

COPY dpcp_core dpcp_core
COPY pages pages
COPY sample_data sample_data
COPY benchmarks/schemas benchmarks/schemas
COPY .streamlit/config.toml .streamlit/config.toml
COPY app.py app.py
# The wheel brings the app along, so that nothing else is copied.
RUN pip install --no-deps . && python -m compileall -q /opt/dpcp/lib

FROM python:3.11-slim-bookworm

RUN useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin dpcp
COPY --from=build /opt/dpcp /opt/dpcp

# What a library writes for a moment goes to /tmp: mount it in memory. Without a browser's address Streamlit would ask
# another host for this machine's when it starts.
ENV PATH=/opt/dpcp/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOME=/tmp \
    MALLOC_ARENA_MAX=2 \
    DPCP_SHARED=1 \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_HEADLESS=true \
    STREAMLIT_BROWSER_SERVER_ADDRESS=localhost \
    STREAMLIT_SERVER_FILE_WATCHER_TYPE=none \
    STREAMLIT_SERVER_MAX_UPLOAD_SIZE=50 \
    STREAMLIT_CLIENT_SHOW_ERROR_DETAILS=none \
    STREAMLIT_BROWSER_GATHER_USAGE_STATS=false

WORKDIR /tmp
USER 10001:10001
EXPOSE 8501

HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4).read()"]

CMD ["dpcp", "app", "--port", "8501"]
