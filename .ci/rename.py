"Rename chapters everywhere, and show their titles in links: python .ci/rename.py [OLD NEW ...], such as 31_rvq 32_quantizer."
import json, re, subprocess, sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NBS = ROOT/'nbs'
TEXTS = ['README.md', 'CONTRIBUTING.md', '_quarto.yml', 'settings.ini']
LINK = re.compile(r'\[([^\]\[]*)\]\((?:nbs/)?((?:\d+_\w+|index)\.ipynb)\)')   # [text](43_prompt.ipynb)
bare = lambda stem: re.sub(r'^\d+_', '', stem)

def title(nb:Path)->str:
    "A notebook's first heading."
    for cell in json.loads(nb.read_text(encoding='utf-8'))['cells']:
        if m := re.search(r'^# (.+)$', ''.join(cell['source']), re.M): return m[1]
    raise ValueError(f'{nb} has no title')

def move(old:str, new:str):
    "Rename a notebook and its module, and whatever names them."
    subprocess.run(['git', 'mv', f'nbs/{old}.ipynb', f'nbs/{new}.ipynb'], cwd=ROOT, check=True)
    a, b = bare(old), bare(new)
    rules = [(rf'\b{old}\b', new)]
    if a != b: rules += [(rf'(default_exp|qwen3tts\.|from \.|import_module\(.\.){a}\b', rf'\1{b}')]
    for p in [*NBS.glob('*.ipynb'), *(ROOT/o for o in TEXTS), ROOT/'qwen3tts'/'__init__.py']:
        text = p.read_text(encoding='utf-8')
        for pattern, to in rules: text = re.sub(pattern, to, text)
        p.write_text(text, encoding='utf-8')

def titles():
    "Let every link to a chapter show its title, in the case that the sentence has."
    names = {p.name: title(p) for p in NBS.glob('*.ipynb')}
    def shown(m):
        want = names.get(m[2], m[1])
        return m[0] if m[1].lower() == want.lower() else m[0].replace(f'[{m[1]}]', f'[{want}]', 1)
    for p in [*NBS.glob('*.ipynb'), *(ROOT/o for o in TEXTS)]:
        text = p.read_text(encoding='utf-8')
        p.write_text(LINK.sub(shown, text), encoding='utf-8')

if __name__ == '__main__':
    for old, new in zip(sys.argv[1::2], sys.argv[2::2]): move(old, new)
    titles()
