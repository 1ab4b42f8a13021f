"Before smalldocs: what the site shows of a notebook. Signatures as the source has them, folds, links, widgets."
import ast, inspect, json, re, textwrap
from importlib import import_module
import nbdev.showdoc
from nbdev.doclinks import NbdevLookup
from nbdev.processors import FilterDefaults, add_links, exec_show_docs

VIEW, STATE = ('application/vnd.jupyter.widget-%s+json' % o for o in ('view', 'state'))
ANSWER = 'Answer'                                             # what stands over a folded answer
LONG = 18                                                     # lines of code that are shown unfolded
bare = lambda s: re.sub(r'^\d+[a-zA-Z0-9]*_', '', s)          # nbdev's rule: 11_audio -> audio

# ---- signatures: nbdev guesses types from defaults and drops methods; the source says it better

def public(name): return not name.startswith('_') or name in ('__init__', '__call__')

def head(node, lines, doc=False):
    "The lines that declare a function, with the comments on its arguments and its result."
    first = node.body[0]
    out = lines[node.lineno-1:first.lineno-1] or [lines[node.lineno-1][:first.col_offset].rstrip()]
    out = [f'{" "*node.col_offset}@{ast.unparse(o)}' for o in node.decorator_list if ast.unparse(o) in ('classmethod','staticmethod','property')] + out
    if doc and (text := ast.get_docstring(node)): out.append(f'{" "*(node.col_offset+4)}"{text.splitlines()[0]}"')
    return out

def declaration(source)->tuple:
    "(a function's or class's declaration as its source has it, of a class the fields and the public methods without bodies; its docstring)"
    source = textwrap.dedent(source)
    node,lines = ast.parse(source).body[0], source.splitlines()
    if not isinstance(node, ast.ClassDef): return '\n'.join(head(node, lines)), ast.get_docstring(node)
    out = [f'class {node.name}({", ".join(ast.unparse(o) for o in [*node.bases, *node.keywords])}):'.replace('()', '')]
    for o in node.body:
        if isinstance(o, ast.AnnAssign): out += lines[o.lineno-1:o.end_lineno]
        if isinstance(o, (ast.FunctionDef, ast.AsyncFunctionDef)) and public(o.name): out += head(o, lines, doc=True)
    return '\n'.join(out), ast.get_docstring(node)

def exported(name, symbol):
    "(name, source) of a symbol as the package has it; what a notebook's cell defines has no source that Python could find."
    if found := NbdevLookup()[name]:
        module = import_module(found[1].removesuffix('.py').replace('/', '.'))
        name,symbol = name.removeprefix(module.__name__+'.'), module
        for part in name.split('.'): symbol = inspect.getattr_static(symbol, part) if isinstance(symbol, type) else getattr(symbol, part)
    symbol = next((f for o in ('fget','__func__','f') if (f := getattr(symbol, o, None))), symbol)   # of a property, of class methods
    try: return name, inspect.getsource(inspect.unwrap(symbol))
    except TypeError: return name, None                       # an object that a decorator made, such as MLX's custom functions

class Reference(nbdev.showdoc.BasicMarkdownRenderer):
    "What the site shows of an exported symbol."
    def _repr_markdown_(self):
        name,source = exported(self.fn, self.sym)
        if source is None: return ''
        link,(code,doc) = NbdevLookup().code(name), declaration(source)
        parts = [f'{"#"*self.title_level} {name}', f'[source]({link}){{.source-link}}' if link else '', f'```python\n{code}\n```', f'*{doc}*' if doc else '']
        return '\n\n'.join(filter(None, parts))+'\n'

nbdev.showdoc.BasicMarkdownRenderer = Reference

def links(cell):
    "Links from `names` in prose and docstrings to their chapter. A plain word, such as `rate`, is an argument as often as a function: no link."
    def linked(md): return (NbdevLookup().linkify(re.sub(r'`([a-z]+)`', '`\u2060\\1`', md)) or '').replace('\u2060', '')
    for o in cell.get('outputs', []):
        if md := o.get('data', {}).get('text/markdown'): o['data']['text/markdown'] = [linked(''.join(md))]
    if cell.cell_type == 'markdown': cell.source = linked(cell.source)

class Run(exec_show_docs):
    "Exported cells run as in an import, also those with `#| eval: false`: what stands under `if __name__ == '__main__'` does not."
    def __call__(self, cell):
        source, directives = cell.get('source'), getattr(cell, 'directives_', None) or {}
        held = directives.pop('eval:', None) if {'export', 'exports'} & set(directives) else None
        if source: cell.source = re.sub(r"^if __name__ == '__main__':", 'if False:', source, flags=re.M)
        super().__call__(cell)
        if source: cell.source = source
        if held is not None: directives['eval:'] = held

def answer_(cell):
    "The directive `#| answer`: folded code under that word; `pages.answers` puts the outputs under it, too."
    cell.source = f'#| code-fold: true\n#| code-summary: "{ANSWER}"\n{cell.source}'

class Filter(FilterDefaults):
    "nbdev's processors, three of them our own; importing this module has replaced its signatures, also in its worker processes."
    def base_procs(self): return [*({add_links: links, exec_show_docs: Run}.get(o, o) for o in super().base_procs()), answer_]

# ---- folds, links, widgets

def script(mime, obj): return f'<script type="{mime}">' + json.dumps(obj).replace('</', '<\\/') + '</script>'

def widgets(nb, depth):
    "Give widget outputs the HTML that Jupyter's html-manager reads; Quarto does this by itself."
    found = False
    for cell in nb['cells']:
        for o in cell.get('outputs', []):
            if VIEW in o.get('data', {}):
                o['data']['text/html'], found = script(VIEW, o['data'][VIEW]), True
    state = nb['metadata'].get('widgets', {}).get(STATE)
    if found and state:
        html = script(STATE, state) + f'\n<script src="{"../"*depth}site_libs/html-manager/embed.js" defer></script>'
        nb['cells'].append(dict(cell_type='markdown', id='widgets', metadata={}, source='```{=html}\n'+html+'\n```'))

def only_imports(code):
    try: body = ast.parse(code).body
    except SyntaxError: return False
    return bool(body) and all(isinstance(o, (ast.Import, ast.ImportFrom)) for o in body)

def quoted(nb):
    "Captions and alt texts are plain text, which may hold what YAML would read otherwise."
    for cell in nb['cells']:
        if cell['cell_type'] == 'code': cell['source'] = re.sub(r'^(#\| fig-(?:cap|alt): *)(.*)$', lambda m: m[1]+json.dumps(m[2].strip().strip('"'), ensure_ascii=False), ''.join(cell['source']), flags=re.M)

def fold(nb):
    "Fold imports and long code, so that a chapter reads as prose, short code and pictures. Where the source is shown, its signature is not repeated."
    shown = None                                              # the documentation cell just before
    for cell in nb['cells']:
        s = ''.join(cell['source'])
        if cell['cell_type'] != 'code': continue
        long = s.count('\n') > LONG
        if only_imports(s) and 'code-fold' not in s: cell['source'] = f'#| code-fold: true\n#| code-summary: "Imports"\n{s}'
        elif long: cell['source'] = s.replace('#| code-fold: show', '#| code-fold: true') if 'code-fold' in s else '#| code-fold: true\n'+s
        elif '"Exported source"' in s and shown:
            for o in shown['outputs']:
                md = ''.join(o.get('data', {}).get('text/markdown', ''))
                if 'text/markdown' in o.get('data', {}): o['data']['text/markdown'] = [re.sub(r'```python\n.*?\n```\n', '', md, count=1, flags=re.S)]
            cell['source'] = s.replace('#| code-fold: show\n#| code-summary: "Exported source"\n', '')
        shown = cell if 'show_doc(' in s else None

def adapt(cache, cfg):
    "Do what smalldocs leaves out of Quarto: output-file, absolute links to this site, widgets; and fold."
    site = cfg.doc_host + cfg.doc_baseurl.rstrip('/') + '/'
    nbs = sorted(p for p in cache.rglob('*.ipynb') if cfg.doc_path.name not in p.parts)
    names = {p.name: bare(p.name) for p in nbs}
    def renamed(s):
        for a,b in names.items(): s = re.sub(rf'(?<![\w-]){re.escape(a)}', b, s)
        return s
    for p in nbs:
        depth = len(p.relative_to(cache).parts)-1
        nb = json.loads(renamed(p.read_text(encoding='utf-8')).replace(site, '../'*depth))
        c = nb['cells'][0]
        if c['cell_type'] == 'raw': c['source'] = re.sub(r'^output-file:.*\n', '', ''.join(c['source']), flags=re.M)
        fold(nb)
        quoted(nb)
        widgets(nb, depth)
        p.unlink()
        p.with_name(bare(p.name)).write_text(json.dumps(nb), encoding='utf-8')
    for p in cache.glob('*.yml'): p.write_text(renamed(p.read_text(encoding='utf-8')), encoding='utf-8')
