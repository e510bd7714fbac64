"""Every common encoding is recognised from a few words, and said in the report."""

from __future__ import annotations

import gzip

import pytest

from dpcp_core import InputError, read_csv

TEXTS = {
    "French": ("nom;ville\nLefèvre;Orléans\nGarçon;Besançon\nZoé;Nîmes\n", ("cp1252", "mac_roman", "cp850")),
    "German": ("Name;Größe\nMüller;männlich\nGroß;Straße\n", ("cp1252", "mac_roman", "cp850")),
    "Spanish": ("Descripción;Año\nEducación;sí\nMéxico;Núñez\n", ("cp1252", "mac_roman", "cp850")),
    "Portuguese": ("código;região\nSão Paulo;não\nMaranhão;coração\n", ("cp1252", "mac_roman")),
    "Danish": ("navn;by\nSøren;Århus\nÅse;København\n", ("cp1252", "mac_roman")),
    "English": ("item;note\nBook;it’s fine – cheap\nCafé;“good”\n", ("cp1252", "mac_roman")),
    "Polish": ("imię;miasto\nŁukasz;Łódź\nMałgorzata;Kraków\n", ("cp1250", "iso8859_2")),
    "Czech": ("jméno;město\nJiří;Plzeň\nZdeněk;Děčín\nRůžena;Třebíč\n", ("cp1250",)),
    "Russian": ("имя;город\nИван;Москва\nАнна;Казань\n", ("cp1251", "koi8_r", "cp866")),
    "Greek": ("όνομα;πόλη\nΓιώργος;Αθήνα\nΜαρία;Πάτρα\n", ("cp1253",)),
    "Hebrew": ("שם;מין;עיר\nדוד;זכר;ירושלים\nשרה;נקבה;חיפה\nמשה;זכר;תל אביב\n", ("cp1255",)),
    "Chinese": ("姓名;城市\n王小明;臺北市\n陳美麗;高雄市\n", ("big5", "gb18030")),
    "Japanese": ("氏名;都市\n山田太郎;東京都\n田中さくら;サッポロ\n", ("shift_jis", "euc_jp")),
    "Korean": ("이름;도시\n김철수;서울\n이영희;부산\n", ("euc_kr",)),
}
# Each in a few short cells beside numbers, as a table has them.
FEW_WORDS = {
    "Russian": ("возраст,пол\n34,муж\n41,жен\n", ("cp1251", "koi8_r", "cp866", "mac_cyrillic")),
    "Russian names": ("имя,город\nАнна,Омск\nИван,Тула\n", ("cp1251", "koi8_r", "cp866", "mac_cyrillic")),
    "Russian capitals": ("ПОЛ,n\nМУЖ,3\nЖЕН,4\n", ("cp1251", "koi8_r", "cp866", "mac_cyrillic")),
    "Ukrainian": ("вік,стать\n34,чоловіча\n41,жіноча\n", ("cp1251",)),
    "Bulgarian": ("възраст,пол\n34,мъж\n41,жена\n", ("cp1251",)),
    "Hebrew": ("id,age,מין\n1,34,זכר\n2,41,נקבה\n", ("cp1255",)),
    "Greek": ("ηλικία,φύλο\n34,άνδρας\n41,γυναίκα\n", ("cp1253",)),
    "Arabic": ("العمر,الجنس\n34,ذكر\n41,أنثى\n", ("cp1256",)),
}
SHORT_CASES = [(language, encoding) for language, (_, encodings) in FEW_WORDS.items() for encoding in encodings]
CASES = [(language, encoding) for language, (_, encodings) in TEXTS.items() for encoding in encodings]


def rows(text: str) -> list[list[str]]:
    return [line.split(";") for line in text.strip().split("\n")]


@pytest.mark.parametrize(("language", "encoding"), CASES)
def test_an_older_encoding_is_recognised_and_said(language, encoding):
    text = TEXTS[language][0]
    data = read_csv(text.encode(encoding))
    assert [list(data.frame.columns), *data.frame.to_numpy().tolist()] == rows(text)
    assert any("not UTF-8" in note for note in data.report.notes)


@pytest.mark.parametrize(("language", "encoding"), SHORT_CASES)
def test_a_few_words_tell_a_script_and_its_encoding(language, encoding):
    text = FEW_WORDS[language][0]
    data = read_csv(text.encode(encoding))
    found = [list(data.frame.columns), *[[str(cell) for cell in row] for row in data.frame.to_numpy().tolist()]]
    assert found == [line.split(",") for line in text.strip().split("\n")]
    assert any("not UTF-8" in note and "check the letters" in note for note in data.report.notes)


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_is_recognised_with_and_without_a_mark(language, encoding):
    text = TEXTS[language][0]
    data = read_csv(text.encode(encoding))
    assert [list(data.frame.columns), *data.frame.to_numpy().tolist()] == rows(text)


def test_letters_at_the_very_end_of_a_long_file_count():
    body = "".join(f"{i};plain\n" for i in range(50_000))
    frame = read_csv(f"a;b\n{body}1;Zoë\n".encode("cp1252")).frame
    assert frame["b"].iloc[-1] == "Zoë"


def test_a_few_wrong_bytes_do_not_turn_utf8_into_something_else():
    good = "".join(f"{i};größe\n" for i in range(50)).encode()
    data = read_csv(b"a;b\n" + good + b"99;gr\xf6sse\n")
    assert data.frame["b"].iloc[0] == "größe"
    assert any("could not be read" in note and "line 52" in note for note in data.report.notes)


def test_the_encoding_may_be_said():
    text = "a;b\n1;Ελλάδα\n"
    assert read_csv(text.encode("cp1253"), encoding="cp1253").frame["b"].tolist() == ["Ελλάδα"]
    with pytest.raises(InputError, match="no encoding 'klingon'"):
        read_csv(text.encode(), encoding="klingon")
    with pytest.raises(InputError, match="not in the encoding 'ascii'"):
        read_csv(text.encode(), encoding="ascii")


def test_gzip_is_unpacked(tmp_path):
    path = tmp_path / "table.csv.gz"
    path.write_bytes(gzip.compress("a;b\n1;Zoë\n".encode()))
    data = read_csv(path)
    assert data.frame["b"].tolist() == ["Zoë"]
    assert data.name == "table"
    assert any("gzip" in note for note in data.report.notes)


def test_nul_bytes_are_removed_and_counted():
    data = read_csv(b"a,b\n1\x00,2\n" + b"3,4\n" * 20)
    assert data.frame["a"].iloc[0] == 1
    assert "1 NUL byte was removed." in data.report.notes
