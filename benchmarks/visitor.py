"""A visitor of the app without a browser: Streamlit's own messages over its websocket, and files over HTTP."""

from __future__ import annotations

import asyncio
import random
import re
import time
import urllib.request
import uuid
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs, UploadedFileInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

MARKER = re.compile(rb"zq[0-9a-f]{12}zq")
"""What stands in nothing but a visitor's own table."""

_COOKIE = "_streamlit_xsrf"
_WIDGETS = ("slider", "button", "file_uploader")
_ERROR = 1


@dataclass
class Answer:
    """What one run of a page sent.

    Attributes
    ----------
    seconds : float
        From the visitor's action to the end of the run.
    markers : set of str
        Markers of tables that stood anywhere in it.
    errors : list of str
        Sentences of errors that the page showed.
    widgets : dict
        Sliders, buttons and uploaders, by the key that the app gives them, or their label.
    size : int
        Bytes.
    whole : bool
        Whether the whole page ran, not a part that refreshes itself.
    """

    seconds: float = 0.0
    markers: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)
    widgets: dict[str, Any] = field(default_factory=dict)
    size: int = 0
    whole: bool = False


class Visitor:
    """One open page: what it shows, and what its widgets hold."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self.marker = f"zq{uuid.uuid4().hex[:12]}zq"
        self.pages: dict[str, str] = {}
        self.seen = Answer()
        self._session, self._page, self._query, self._token = "", "", "", ""
        self._states: dict[str, WidgetState] = {}
        self._repeats: dict[str, float] = {}
        self._socket: ClientConnection | None = None

    async def open(self) -> Answer:
        """Open the first page."""
        self._token = await asyncio.to_thread(_token, f"{self.url}/_stcore/health")
        self._socket = await connect(
            f"{self.url.replace('http', 'ws', 1)}/_stcore/stream",
            subprotocols=["streamlit", self._token],  # type: ignore[list-item]
            additional_headers={"Cookie": f"{_COOKIE}={self._token}"},
            origin=self.url,  # type: ignore[arg-type]
            max_size=None,
        )
        return await self._run()

    async def close(self) -> None:
        """Leave."""
        if self._socket is not None:
            await self._socket.close()

    async def go(self, page: str) -> Answer:
        """Open another page, by the last part of its address; "" is the first page."""
        self._page = self.pages[page]
        return await self._run()

    async def look(self, seconds: float) -> list[Answer]:
        """Look at the page for some time, while parts of it refresh themselves; return what they sent."""
        end, answers = time.perf_counter() + seconds, []
        while self._repeats and time.perf_counter() < end:
            await asyncio.sleep(min(*self._repeats.values(), seconds))
            answers += [await self._run(fragment=part) for part in list(self._repeats) if part in self._repeats]
        await asyncio.sleep(max(0.0, end - time.perf_counter()))
        return answers

    async def move(self, name: str, chance: random.Random) -> Answer:
        """Move a slider somewhere."""
        slider = self.seen.widgets[name]
        state = WidgetState(id=slider.id)
        if slider.type == Slider.SELECT_SLIDER:
            state.string_array_value.data.append(chance.choice(list(slider.options)))
        else:
            steps = round((slider.max - slider.min) / slider.step)
            state.double_array_value.data.append(slider.min + chance.randint(0, steps) * slider.step)
        return await self._run(state)

    async def press(self, name: str) -> Answer:
        """Press a button."""
        return await self._run(WidgetState(id=self.seen.widgets[name].id, trigger_value=True))

    async def upload(self, files: dict[str, tuple[str, bytes]]) -> Answer:
        """Put files into uploaders: by the beginning of the uploader's key, a name and what the file holds."""
        for begins, (name, content) in files.items():
            uploader = next(widget for key, widget in self.seen.widgets.items() if key.startswith(begins))
            urls = await self._place(name)
            await asyncio.to_thread(_put, self.url + urls.upload_url, name, content, self._token)
            state = WidgetState(id=uploader.id)
            info = UploadedFileInfo(name=name, size=len(content), file_id=urls.file_id, file_urls=urls)
            state.file_uploader_state_value.uploaded_file_info.append(info)
            self._states[state.id] = state
        return await self._run()

    async def _place(self, name: str) -> FileURLs:
        request = BackMsg()
        request.file_urls_request.request_id = uuid.uuid4().hex
        request.file_urls_request.session_id = self._session
        request.file_urls_request.file_names.append(name)
        await self._send(request)
        while True:
            message, _ = await self._receive()
            if message.WhichOneof("type") == "file_urls_response":
                urls: FileURLs = message.file_urls_response.file_urls[0]
                return urls

    async def _run(self, changed: WidgetState | None = None, fragment: str = "") -> Answer:
        if changed is not None:
            self._states[changed.id] = changed
        request = BackMsg()
        asked = request.rerun_script
        asked.query_string, asked.page_script_hash = self._query, self._page
        asked.fragment_id, asked.is_auto_rerun = fragment, bool(fragment)
        asked.widget_states.widgets.extend(self._states.values())
        start = time.perf_counter()
        await self._send(request)
        if changed is not None and changed.WhichOneof("value") == "trigger_value":
            del self._states[changed.id]
        answer = await self._answer()
        answer.seconds = time.perf_counter() - start
        if answer.whole:
            self.seen = answer
            shown = {widget.id for widget in answer.widgets.values()}
            self._states = {key: state for key, state in self._states.items() if key in shown}
        return answer

    async def _answer(self) -> Answer:
        answer = Answer()
        while True:
            message, raw = await self._receive()
            answer.size += len(raw)
            answer.markers.update(found.decode() for found in MARKER.findall(raw))
            kind = message.WhichOneof("type")
            if kind == "delta":
                _take(message.delta.new_element, answer)
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                answer.whole = message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
                if message.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                    answer.errors.append("the page could not be run")
                return answer

    async def _receive(self) -> tuple[ForwardMsg, bytes]:
        raw = await self._open_socket().recv()
        message = ForwardMsg.FromString(raw)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            if not message.metadata.run.fragment_ids:
                self._repeats.clear()
            self._session = message.new_session.initialize.session_id
            self._page = message.new_session.page_script_hash
            for page in message.new_session.app_pages:
                self.pages["" if page.is_default else page.url_pathname or page.page_name] = page.page_script_hash
        elif kind == "auto_rerun":
            self._repeats[message.auto_rerun.fragment_id] = message.auto_rerun.interval
        elif kind == "stop_auto_rerun":
            for part in message.stop_auto_rerun.fragment_ids:
                self._repeats.pop(part, None)
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        return message, bytes(raw)

    async def _send(self, message: BackMsg) -> None:
        await self._open_socket().send(message.SerializeToString())

    def _open_socket(self) -> ClientConnection:
        assert self._socket is not None, "the visitor has not come yet"
        return self._socket


def _take(element: Any, answer: Answer) -> None:
    kind = element.WhichOneof("type")
    if kind in _WIDGETS:
        widget = getattr(element, kind)
        # A key of the app's own stands behind the second dash of an id.
        key = widget.id.split("-", 2)[-1]
        answer.widgets[widget.label if key == "None" else key] = widget
    elif kind == "exception":
        answer.errors.append(element.exception.message)
    elif kind == "alert" and element.alert.format == _ERROR:
        answer.errors.append(element.alert.body)


def _token(url: str) -> str:
    with urllib.request.urlopen(url, timeout=30) as answer:
        cookies = answer.headers.get_all("Set-Cookie") or []
    return next((one.split("=", 1)[1].split(";")[0] for one in cookies if one.startswith(_COOKIE)), "")


def _put(url: str, name: str, content: bytes, token: str) -> None:
    border = uuid.uuid4().hex
    head = f'--{border}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'
    body = head.encode() + content + f"\r\n--{border}--\r\n".encode()
    headers = {
        "Content-Type": f"multipart/form-data; boundary={border}",
        "X-Xsrftoken": token,
        "Cookie": f"{_COOKIE}={token}",
    }
    request = urllib.request.Request(url, body, headers, method="PUT")
    with urllib.request.urlopen(request, timeout=60):
        pass
