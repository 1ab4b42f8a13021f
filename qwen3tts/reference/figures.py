"""Make figures.json: what `qwen3tts evaluate` says of the packaged checkpoint, a row for each command below.

    python qwen3tts/reference/figures.py [ROW ...]      # default: the rows that are missing, or were made of another checkpoint

It needs flite and the extra `evaluate`, and takes some minutes. The chapter on evaluation prints its table from the file.
By the qwen3tts authors.
"""
import argparse, json, os, shlex, tempfile
from hashlib import sha256
from pathlib import Path
import qwen3tts
from qwen3tts import evaluate
from qwen3tts.config import packaged
from qwen3tts.files import write_audio
from qwen3tts.teacher import EVERYDAY, say, sentences

HERE = Path(__file__).resolve().parent
WORDS = "She sells fresh fish at the market every morning."
VOICES = [("rms", .8), ("slt", .9), ("awb", 1.), ("rms", 1.1)]     # of the teacher, and how much higher: those to be cloned
TAUGHT = "--teacher roger=rms --teacher clara=slt --teacher angus=awb"
SAMPLES = " ".join(f"--voice-sample {i}.wav" for i in range(len(VOICES)))
TEXTS = " ".join(f"--voice-text '{WORDS}'" for _ in VOICES)
DESIGNED = " ".join(f"--instruct '{o}'" for o in ("A very deep man.", "A slightly low woman.", "A slightly high Scottish man.", "A high woman."))
ROWS = {
    "everyday": f"everyday.txt {TAUGHT}",
    "grammar": f"grammar.txt {TAUGHT}",
    "designed": f"everyday.txt {DESIGNED}",
    "x-vector": f"everyday.txt {SAMPLES}",
    "x-vector, text first": f"everyday.txt {SAMPLES} --text-first",
    "transcript": f"everyday.txt {SAMPLES} {TEXTS}",
}

def prepare(folder):
    "The files that the commands name."
    for name, lines in dict(everyday=EVERYDAY, grammar=sentences(40, held_out=True)).items():
        Path(folder, f"{name}.txt").write_text("\n".join(lines) + "\n")
    for i, (who, ratio) in enumerate(VOICES): write_audio(Path(folder, f"{i}.wav"), say(WORDS, who, ratio=ratio).samples)

def measured(arguments):
    "What a command says of all sentences."
    p = argparse.ArgumentParser()
    evaluate.add_options(p)
    evaluate.command(p.parse_args(["tiny", *shlex.split(arguments), "-o", "report"]), print)
    return next(iter(json.loads(Path("report/results.json").read_text())["figures"].values()))

def main():
    p = argparse.ArgumentParser()
    p.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    asked, file = p.parse_args().rows, HERE/"figures.json"
    if odd := set(asked) - ROWS.keys(): p.error(f"there is no row {odd.pop()}: it has {', '.join(ROWS)}")
    which = sha256(b"".join(f.read_bytes() for f in sorted(packaged("tiny").rglob("*.safetensors")))).hexdigest()[:16]
    kept = json.loads(file.read_text()) if file.exists() else {}
    rows = kept["rows"] if kept.get("checkpoint") == which else {}
    with tempfile.TemporaryDirectory() as d:
        os.chdir(d)
        prepare(d)
        for row in asked or [o for o in ROWS if rows.get(o, {}).get("command") != ROWS[o]]:
            print(row, flush=True)
            rows[row] = dict(command=ROWS[row], figures=measured(ROWS[row]))
            told = {o: rows[o] for o in ROWS if o in rows}
            file.write_text(json.dumps(dict(checkpoint=which, rows=told), indent=1) + "\n")     # after each row: it can be stopped
        os.chdir(HERE)

if __name__ == "__main__": main()
