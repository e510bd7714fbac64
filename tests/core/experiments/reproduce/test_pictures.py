"""Pictures are read from the published formats, and a batch that asks for more than arrays is refused."""

from __future__ import annotations

import gzip
import io
import os
import pickle
import tarfile
from pathlib import Path

import numpy as np
import pytest

from dpcp_core import InputError
from dpcp_core.experiments.reproduce.published.cifar import BATCHES, FOLDER, read_cifar
from dpcp_core.experiments.reproduce.published.idx import read_idx
from dpcp_core.experiments.reproduce.published.registry import look_into

MNIST = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")


def idx(values: np.ndarray) -> bytes:
    sizes = b"".join(size.to_bytes(4, "big") for size in values.shape)
    return bytes([0, 0, 8, values.ndim]) + sizes + values.tobytes()


def write_mnist(folder: Path, *, packed: bool = False, dotted: bool = False) -> None:
    rng = np.random.default_rng(0)
    for place, name in enumerate(MNIST):
        n = 3 if place < 2 else 2
        values = rng.integers(0, 256, (n, 28, 28)) if place % 2 == 0 else np.arange(n) + 7
        content = idx(values.astype(np.uint8))
        file = name.replace("-idx", ".idx") if dotted else name
        (folder / (f"{file}.gz" if packed else file)).write_bytes(gzip.compress(content) if packed else content)


def batch(n: int = 2, first: int = 0) -> dict[bytes, object]:
    pixels = np.arange(n * 3072, dtype=np.uint32).reshape(n, 3072) % 256
    return {b"batch_label": b"some", b"labels": [first] * n, b"data": pixels.astype(np.uint8), b"filenames": [b"a"] * n}


def write_cifar(folder: Path, **instead: bytes) -> Path:
    """Write six batches, some of them with other contents."""
    path = folder / FOLDER
    path.mkdir()
    for place, name in enumerate(BATCHES):
        (path / name).write_bytes(instead.get(name, pickle.dumps(batch(first=place), protocol=3)))
    return path


@pytest.mark.parametrize("options", [{}, {"packed": True}, {"dotted": True}])
def test_mnist_is_read_from_idx_files(tmp_path, options):
    write_mnist(tmp_path, **options)
    ((found,), _) = look_into(tmp_path)
    data = found.load()
    assert data.frame.shape == (5, 785)
    assert data.frame["class"].tolist() == ["7", "8", "9", "7", "8"]
    first = np.random.default_rng(0).integers(0, 256, (3, 28, 28))[0].reshape(-1)
    np.testing.assert_array_equal(data.frame.iloc[0, :784].to_numpy(dtype=np.int64), first)


def test_mnist_from_csv_equals_mnist_from_idx(tmp_path):
    (tmp_path / "idx").mkdir()
    (tmp_path / "csv").mkdir()
    write_mnist(tmp_path / "idx")
    ((found,), _) = look_into(tmp_path / "idx")
    frame = found.load().frame
    names = [f"pixel_{row}_{column}" for row in range(28) for column in range(28)]
    for name, rows in (("mnist_train", slice(0, 3)), ("mnist_test", slice(3, 5))):
        part = frame.iloc[rows]
        part.set_axis([*names, "digit"], axis="columns").to_csv(tmp_path / "csv" / f"{name}.csv.gz", index=False)
    ((again,), _) = look_into(tmp_path / "csv")
    assert again.load() == found.load()


@pytest.mark.parametrize(
    "content",
    [b"", idx(np.zeros((2, 2), dtype=np.uint8)), idx(np.zeros(9, dtype=np.uint8))[:-1], b"\x1f\x8b damaged"],
)
def test_what_is_no_whole_idx_file_is_refused(tmp_path, content):
    (tmp_path / "labels").write_bytes(content)
    with pytest.raises(InputError, match=r"idx file|cannot be read"):
        read_idx(tmp_path / "labels", n_axes=1, title="MNIST")


def test_as_many_classes_as_pictures_are_wanted(tmp_path):
    write_mnist(tmp_path)
    (tmp_path / MNIST[1]).write_bytes(idx(np.zeros(4, dtype=np.uint8)))
    ((found,), _) = look_into(tmp_path)
    with pytest.raises(InputError, match=r"3 pictures but .* 4 classes"):
        found.load()


def test_cifar_is_read_from_its_batches(tmp_path):
    pictures, classes = read_cifar(write_cifar(tmp_path))
    assert classes.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    np.testing.assert_array_equal(pictures[:2], batch()[b"data"])
    ((found,), _) = look_into(tmp_path)
    data = found.load()
    assert data.frame.shape == (12, 3073)
    assert len(data.schema.target.categories) == 10


def test_cifar_is_read_from_its_archive_without_unpacking_it(tmp_path):
    (tmp_path / "made").mkdir()
    folder = write_cifar(tmp_path / "made")
    (tmp_path / "data").mkdir()
    with tarfile.open(tmp_path / "data" / "cifar-10-python.tar.gz", "w:gz") as archive:
        archive.add(folder, arcname=FOLDER)
    ((found,), _) = look_into(tmp_path / "data")
    assert found.load().n_rows == 12
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["cifar-10-python.tar.gz"]


class Malicious:
    """What makes a folder when a careless reader loads it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("hidden_in", ["labels", "data", "whole"])
@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_a_malicious_batch_is_refused_before_it_runs_anything(tmp_path, hidden_in, protocol):
    trap = tmp_path / "sprung"
    harmful = Malicious(trap) if hidden_in == "whole" else batch() | {hidden_in.encode(): Malicious(trap)}
    content = pickle.dumps(harmful, protocol=protocol)
    path = write_cifar(tmp_path, test_batch=content)
    with pytest.raises(InputError, match=r"test_batch is not a batch of CIFAR-10.*asks for more than arrays"):
        read_cifar(path)
    assert not trap.exists()
    # The trap is a real one: an ordinary reader falls into it.
    pickle.loads(content)
    assert trap.is_dir()


@pytest.mark.parametrize(
    "call", ["cbuiltins\neval\n(V1+1\ntR.", "cnumpy\nload\n(Vx\ntR.", "cnumpy\nfromfile\n(Vx\ntR."]
)
def test_no_other_function_can_be_called(tmp_path, call):
    path = write_cifar(tmp_path, data_batch_1=call.encode())
    with pytest.raises(InputError, match="asks for more than arrays"):
        read_cifar(path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no pickle",
        pickle.dumps(batch(), protocol=3)[:500],
        pickle.dumps({}, protocol=3),
        pickle.dumps(batch() | {b"labels": [1]}, protocol=3),
        pickle.dumps(batch() | {b"labels": [0, 10]}, protocol=3),
        pickle.dumps(batch() | {b"data": np.zeros((2, 3072))}, protocol=3),
        pickle.dumps(batch() | {b"data": [[0] * 3072] * 2}, protocol=3),
    ],
)
def test_a_damaged_or_foreign_batch_is_refused(tmp_path, content):
    with pytest.raises(InputError, match="CIFAR-10"):
        read_cifar(write_cifar(tmp_path, data_batch_3=content))


def test_a_missing_batch_is_named(tmp_path):
    path = write_cifar(tmp_path)
    (path / "data_batch_4").unlink()
    with pytest.raises(InputError, match="data_batch_4 is missing"):
        read_cifar(path)


def test_an_archive_without_batches_is_refused(tmp_path):
    path = tmp_path / "cifar-10-python.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("empty"), io.BytesIO())
    with pytest.raises(InputError, match="holds no cifar-10-batches-py/data_batch_1"):
        read_cifar(path)
    path.write_bytes(b"\x1f\x8b damaged")
    with pytest.raises(InputError, match="cannot be read"):
        read_cifar(path)


def test_python_2_batches_as_published_are_read(tmp_path):
    """They were written by Python 2: text is bytes there, and numpy went by an older name."""
    data = np.zeros((1, 3072), dtype=np.uint8)
    raw = data.tobytes()
    content = (
        b"\x80\x02}(U\x06labels]K\x03aU\x04datacnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\nK\x00\x85U\x01btR"
        b"(K\x01K\x01M\x00\x0c\x86cnumpy\ndtype\n(U\x02u1K\x00K\x01tR(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK"
        b"\x00tb\x89T" + len(raw).to_bytes(4, "little") + raw + b"tbu."
    )
    pictures, classes = read_cifar(write_cifar(tmp_path, **dict.fromkeys(BATCHES, content)))
    assert pictures.shape == (6, 3072)
    assert classes.tolist() == [3] * 6
