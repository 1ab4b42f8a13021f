"Run notebooks as in Colab: python .ci/colab.py [NAME ...]. A fresh environment with what Colab has; the notebook, alone in an empty folder, installs the rest."
import json, os, re, shutil, subprocess, sys, tempfile, time, venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HAS = ['ipykernel', 'nbclient', 'matplotlib', 'ipywidgets']
LEFT_OUT = re.compile(r'^\s*#\s*\|\s*(eval\s*:\s*false|slow)\s*$', re.M)

def wheel(folder):
    "The package's wheel, as PyPI would have it."
    source = folder/'source'
    shutil.copytree(ROOT/'qwen3tts', source/'qwen3tts')          # a copy: building leaves files
    for o in ('settings.ini', 'setup.py', 'README.md', 'LICENSE'): shutil.copy(ROOT/o, source)
    subprocess.run([sys.executable, '-m', 'pip', 'wheel', '-q', '--no-deps', '-w', folder, source], check=True)

def environment(folder)->Path:
    "A new environment; its folder of commands."
    venv.create(folder, with_pip=True)
    subprocess.run([folder/'bin'/'pip', 'install', '-qq', *HAS], check=True)
    return folder/'bin'

def run(nb:Path, bin:Path, folder:Path, links:Path):
    "A notebook in a folder of its own, without the cells that are not run here; pip finds the package in `links`."
    folder.mkdir(parents=True)
    d = json.loads(nb.read_text(encoding='utf-8'))
    d['cells'] = [c for c in d['cells'] if not LEFT_OUT.search(''.join(c['source']))]
    (folder/nb.name).write_text(json.dumps(d), encoding='utf-8')
    env = {k: v for k,v in os.environ.items() if k not in ('PYTHONPATH', 'VIRTUAL_ENV', 'MPLBACKEND')}
    env |= dict(PATH=f'{bin}:{env["PATH"]}', COLAB_RELEASE_TAG='imitated', PIP_FIND_LINKS=f'{links} {env.get("PIP_FIND_LINKS", "")}')
    return subprocess.run([bin/'jupyter', 'execute', '--timeout=1200', nb.name], cwd=folder, env=env, text=True, capture_output=True)

def main(names):
    "Run them one after the other; say how each went. They share an environment, to which each adds what it needs."
    known = {re.sub(r'^\d+_', '', p.stem): p for p in sorted((ROOT/'nbs').glob('*.ipynb'))}
    nbs = [known[re.sub(r'^\d+_', '', o)] for o in names] or [*known.values()]       # KeyError: there is no such notebook
    failed = []
    with tempfile.TemporaryDirectory() as d:
        d = Path(d)
        wheel(d)
        bin = environment(d/'env')
        for nb in nbs:
            start = time.perf_counter()
            r = run(nb, bin, d/nb.stem, d)
            print(f'{nb.stem}: {"failed" if r.returncode else "ok"}, {time.perf_counter()-start:.0f} s', flush=True)
            if r.returncode: failed.append(nb.stem), print(r.stdout[-1000:], r.stderr[-4000:], flush=True)
    return 1 if failed else 0

if __name__ == '__main__': sys.exit(main(sys.argv[1:]))
