"The rooms: one notebook a module, in the order of their numbers; links that show titles; exercises, captions; chapters and lines that are not too long."
import ast, json, re, sys
from pathlib import Path
import pytest
sys.path.insert(0, str(Path(__file__).resolve().parent))
from rename import LINK, NBS, ROOT, TEXTS, bare, title

CHAPTERS = sorted(p.stem for p in NBS.glob('[0-9]*.ipynb'))
NUMBER = {bare(o): int(o[:2]) for o in CHAPTERS}
MODULES = sorted(p.stem for p in (ROOT/'qwen3tts').glob('[a-z]*.py'))

def cells(name): return json.loads((NBS/f'{name}.ipynb').read_text(encoding='utf-8'))['cells']

def imported(module):
    "The modules of this package that a module imports, also inside its functions."
    for node in ast.walk(ast.parse((ROOT/'qwen3tts'/f'{module}.py').read_text(encoding='utf-8'))):
        if isinstance(node, ast.ImportFrom):
            path = (node.module or '').split('.')
            if path[0] == 'qwen3tts': path = path[1:]
            elif not node.level: continue
            yield from [path[0]] if path and path[0] else [o.name for o in node.names]
        if isinstance(node, ast.Import): yield from [o.name.split('.')[1] for o in node.names if o.name.startswith('qwen3tts.')]

def test_numbers():
    assert len(set(NUMBER.values())) == len(CHAPTERS), 'two chapters have the same number'
    assert set(MODULES) == {bare(o) for o in CHAPTERS if o >= '10'}   # the first part has no modules

@pytest.mark.parametrize('name', MODULES)
def test_imports_lower_numbers_only(name):
    assert not {o for o in imported(name) if o in NUMBER and NUMBER[o] >= NUMBER[name]}

@pytest.mark.parametrize('name', CHAPTERS)
def test_notebook_exports_module_of_its_name(name):
    exports = [m[1] for c in cells(name) for m in re.finditer(r'^#\| *default_exp +(\w+)', ''.join(c['source']), re.M)]
    assert exports == ([] if name < '10' else [bare(name)])

@pytest.mark.parametrize('name', CHAPTERS)
def test_title_stands_alone(name):
    "nbdev makes the page's head of the first heading's cell, and drops what else is in it."
    cell = next(s for c in cells(name) if (s := ''.join(c['source'])).startswith('# '))
    assert [o for o in cell.splitlines()[1:] if o and not o.startswith('> ')] == []

def sections(name):
    "[(heading of level 2, the cells under it)] of a chapter; a heading begins its cell or stands inside."
    found = [('', [])]
    for c in cells(name):
        said = re.findall(r'^## (.+)', ''.join(c['source']), re.M) if c['cell_type'] == 'markdown' else []
        found += [(o, []) for o in said]
        found[-1][1].append(c)
    return found

@pytest.mark.parametrize('name', CHAPTERS)
def test_length(name): assert sum(len(o) for heading,o in sections(name) if heading != 'Exercises') <= 80

@pytest.mark.parametrize('name', [o for o in CHAPTERS if '10' <= o < '90'])
def test_exercises(name):
    "A chapter ends with two or three questions, each followed by an answer that is checked."
    heading,found = sections(name)[-1]
    assert heading == 'Exercises', f'the last section is {heading}'
    code = [''.join(c['source']) for c in found if c['cell_type'] == 'code']
    assert [c['cell_type'] for c in found] == ['markdown', 'code']*len(code) and 2 <= len(code) <= 3
    for n,(c,answer) in enumerate(zip(found[::2], code), 1):
        assert f'**{n}.**' in ''.join(c['source'])
        assert answer.startswith('#| answer\n') and re.search(r'\bassert |\btest_\w+\(|\brefused\(', answer), answer

@pytest.mark.parametrize('name', ['index', *CHAPTERS])
def test_pictures_are_described(name):
    "A cell whose picture is stored has a caption and an alt text, each of one line."
    for c in cells(name):
        if not any('image/png' in o.get('data', {}) for o in c.get('outputs', [])): continue
        for said in ('fig-cap', 'fig-alt'): assert re.search(rf'^#\| {said}: \S.{{20}}', ''.join(c['source']), re.M), f'no {said}: {"".join(c["source"])[:200]}'

@pytest.mark.parametrize('name', MODULES)
def test_lines(name):
    source = (ROOT/'qwen3tts'/f'{name}.py').read_text(encoding='utf-8')
    source = re.sub(r'^__all__ = \[.*?\]$', '', source, flags=re.M|re.S)   # nbdev's own
    assert not [o for o in source.splitlines() if len(o) > 120]

@pytest.mark.parametrize('text', [*(f'nbs/{o}.ipynb' for o in ['index', *CHAPTERS]), *TEXTS])
def test_links_show_titles(text):
    for shown,target in LINK.findall((ROOT/text).read_text(encoding='utf-8')):
        assert (NBS/target).exists(), target
        assert target == 'index.ipynb' or shown.lower() == title(NBS/target).lower(), f'{shown} -> {target}'

@pytest.mark.parametrize('name', ['index', *CHAPTERS])
def test_installs_in_colab(name):
    "The first code cell of a notebook installs the package where it is opened in Colab, and does nothing elsewhere."
    code = [''.join(c['source']) for c in cells(name) if c['cell_type'] == 'code']
    if code: assert re.search(r"^!test \$COLAB_RELEASE_TAG && .*pip install -q 'qwen3tts\[mkl[a-z,]*\]'", code[0], re.M), code[0]
    assert not [o for o in code[1:] if 'COLAB_RELEASE_TAG' in o]

def test_sidebar():
    "Every chapter is in the sidebar, in the order of the numbers."
    assert [o for o in re.findall(r'- (\d+_\w+)\.ipynb', (ROOT/'_quarto.yml').read_text(encoding='utf-8'))] == CHAPTERS
