"After smalldocs: the frame around each page. Header, sidebar with the page's contents, facts under the title, the drawing, alt text, glossary, search."
import ast, re, shutil
from functools import cache
from pathlib import Path
import yaml
from bs4 import BeautifulSoup
from . import glossary, search
from .notebooks import ANSWER
from .pipeline import LIT, PAGE_STYLE, drawing

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OWN = ('site.css', 'site.js', 'search.js')
WORDS, LINES, PICTURES = 200, 25, 5                            # read in a minute: words of prose, lines of shown code, pictures

HEAD = '''<script>document.documentElement.dataset.bsTheme = localStorage.getItem('theme') || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')</script>
<link rel="stylesheet" href="site_libs/site.css"><style>{style}</style><script src="site_libs/search.js" defer></script><script src="site_libs/site.js" defer></script>'''
HEADER = '''<header id="quarto-header" class="site-header"><button type="button" class="quarto-btn-toggle" id="menu" aria-controls="quarto-sidebar" aria-expanded="false">Contents</button>
<a class="brand" href="index.html">qwen3tts</a>
<div id="search" role="search"><input type="search" id="query" placeholder="Search" title="Search: press /" aria-label="Search" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="results" autocomplete="off" spellcheck="false">
<div id="results" role="listbox" aria-label="Results" hidden></div></div>
<button type="button" id="theme" aria-label="Dark mode" aria-pressed="false">&#9680;</button></header>'''
FOOT = '''<footer class="site-foot"><a href="{issue}">Report an issue</a> <a href="{notebook}">This page's notebook</a></footer>'''

def bare(stem): return re.sub(r'^\d+_', '', stem)

class Chapter:
    "A page of the sidebar: its number, its names, and what it takes to read it."
    def __init__(self, stem, part):
        self.stem, self.part, self.name = stem, part, bare(stem)
        self.number = stem[:2] if stem != self.name else ''
        self.module = ROOT/'qwen3tts'/f'{self.name}.py'

def parts(quarto):
    "The chapters of _quarto.yml, in order."
    for o in quarto['website']['sidebar']['contents']:
        for stem in [o] if isinstance(o, str) else o['contents']: yield Chapter(Path(stem).stem, '' if isinstance(o, str) else o['section'])

@cache
def imports(module:Path)->frozenset:
    "Names of the modules of this package that a module imports."
    found = set()
    if module.exists():
        for o in ast.walk(ast.parse(module.read_text(encoding='utf-8'))):
            if isinstance(o, ast.ImportFrom) and (o.level or (o.module or '').startswith('qwen3tts.')): found.add((o.module or '').removeprefix('qwen3tts.'))
    return frozenset(o for o in found if (module.parent/f'{o}.py').exists())

def everything(module:Path)->set:
    "What a module imports, and what that imports."
    return {p for o in imports(module) for p in (o, *everything(module.with_stem(o)))}

def before(chapter, chapters):
    "The chapters to read first: what the module imports and the introduction links to, without what one of those imports itself, and without the tools."
    named = imports(chapter.module) | chapter.links
    wanted = [o for o in chapters if o.name in named and '10' <= o.number < chapter.number and (o.part != 'Tools' or chapter.part == 'Tools')]
    implied = {name for o in wanted for name in everything(o.module)}
    return [o for o in wanted if o.name not in implied]

def minutes(main):
    "How long a page takes to read."
    words = sum(len(o.get_text().split()) for o in main.select('p, li, td') if not o.find_parent(class_='cell-output'))
    lines = sum(o.get_text().count('\n')+1 for o in main.select('pre') if not o.find_parent('details'))
    return max(1, round(words/WORDS + lines/LINES + len(main.select('img'))/PICTURES))

def sidebar(chapters, here, toc):
    "All chapters, by part; the contents of this page under its own name."
    out, part = ['<nav id="quarto-sidebar" class="sidebar sidebar-navigation floating" aria-label="Chapters"><ul>'], ''
    for o in chapters:
        if o.part != part:
            out.append(('</ul></details></li>' if part else '') + f'<li><details{" open" if o.part == here.part else ""}><summary>{o.part}</summary><ul>')
            part = o.part
        mine = ' aria-current="page" class="active"' if o is here else ''
        number = f'<span class="number">{o.number}</span>' if o.number else ''
        out.append(f'<li><a href="{o.name}.html"{mine}>{number}<span>{o.title}</span></a>{toc if o is here else ""}</li>')
    return '\n'.join(out) + ('</ul></details></li>' if part else '') + '</ul></nav>'

def contents(soup):
    "smalldocs' table of contents, as a part of the sidebar."
    toc = soup.select_one('#TOC')
    if not toc: return ''
    toc.select_one('#toc-title').decompose()
    toc['aria-label'] = 'On this page'
    symbols = {o.parent.find_previous_sibling('h3')['data-anchor-id'] for o in soup.select('.source-link')}
    for a in toc.select('a'):
        if a['href'][1:] in symbols: a['class'] = [*a['class'], 'symbol']
    return str(toc)

def in_colab(chapter, repo):
    "Where a chapter opens in Colab; its first cell installs the package there. Nothing for a page without code."
    notebook = f'nbs/{chapter.stem}.ipynb'
    if 'COLAB_RELEASE_TAG' not in (ROOT/notebook).read_text(encoding='utf-8'): return ''
    return f'<a href="{repo.replace("https://github.com", "https://colab.research.google.com/github")}/blob/main/{notebook}">Open in Colab</a>'

def facts(chapter, chapters, repo):
    "The line under a title."
    first = ', '.join(f'<a href="{o.name}.html">{o.title}</a>' for o in before(chapter, chapters))
    says = [f'Chapter {chapter.number}' if chapter.number else '', f'{chapter.minutes} minutes', f'builds on {first}' if first else '',
            f'module <code>qwen3tts.{chapter.name}</code>' if chapter.module.exists() else '', in_colab(chapter, repo)]
    return f'<p class="facts">{" · ".join(filter(None, says))}</p>'

def html(text): return BeautifulSoup(text, 'html.parser')

def frame(soup, chapter, chapters, repo):
    "Header, sidebar, drawing, facts and foot of one page."
    for o in soup.select('script[src*="bootstrap.bundle"], script[src*="fuse.min"], nav.quarto-title-breadcrumbs'): o.decompose()
    soup.head.append(html(HEAD.format(style=PAGE_STYLE)))
    toc, content = contents(soup), soup.select_one('#quarto-content')
    soup.select_one('#quarto-header').replace_with(html(HEADER))
    if margin := soup.select_one('#quarto-margin-sidebar'): margin.decompose()
    soup.select_one('#quarto-sidebar').replace_with(html(sidebar(chapters, chapter, toc)))
    content['class'] = [o for o in content['class'] if o != 'has-margin']
    main, block = soup.main, soup.select_one('#title-block-header')
    if chapter.number: soup.h1.insert(0, html(f'<span class="number">{chapter.number}</span> '))
    block.append(html(facts(chapter, chapters, repo)))
    figure = html(f'<figure class="pipeline" aria-label="The way of the data">{drawing(chapter.name)}</figure>')
    if image := main.select_one('img[src$="pipeline.svg"]'): (image.find_parent(class_='quarto-figure') or image.find_parent('p')).replace_with(figure)
    elif chapter.name in LIT: block.insert_after(figure)
    main.append(html(FOOT.format(issue=f'{repo}/issues/new', notebook=f'{repo}/blob/main/nbs/{chapter.stem}.ipynb')))

def answers(soup):
    "An exercise's answer: code and outputs in one fold."
    for o in [o for o in soup.select('.cell > details > summary') if o.get_text() == ANSWER]:
        fold = o.parent
        fold['class'] = ['answer']
        fold.extend([p.extract() for p in fold.find_next_siblings()])

def index_page(soup, chapters):
    "On the first page, how long each chapter and each reading path takes."
    by_page = {f'{o.name}.html': o for o in chapters}
    for row in soup.main.select('table tr'):
        link = row.select_one('td a[href]')
        o = link and by_page.get(link['href'])
        if o: row.append(html(f'<td class="minutes">{o.minutes} min</td>'))
        elif row.th: row.append(html('<th>time</th>'))
    for item in soup.main.select('#reading-paths li'):
        path = [o for o in chapters if item.select(f'a[href="{o.name}.html"]')]
        if path == chapters[:1]: continue                      # this page itself
        total = sum(o.minutes for o in path or chapters)
        item.append(html(f' <span class="minutes">({total} minutes)</span>' if total < 90 else f' <span class="minutes">({total/60:.1f} hours)</span>'))

def finish(out, cfg):
    "Everything that smalldocs leaves to be done, on all pages of a built site."
    quarto = yaml.safe_load((cfg.nbs_path/'_quarto.yml').read_text(encoding='utf-8'))
    chapters = [o for o in parts(quarto) if (out/f'{o.name}.html').exists()]
    soups = {o.name: html((out/f'{o.name}.html').read_text(encoding='utf-8')) for o in chapters}
    for o in chapters:
        soup = soups[o.name]
        o.title, o.minutes = soup.h1.get_text(), minutes(soup.main)
        linked = {a['href'] for a in soup.main.select(':scope > p a[href]')}       # above the first heading
        o.links = {c.name for c in chapters if o.module.exists() and f'{c.name}.html' in linked}
    search.write(out, chapters, soups)
    terms = glossary.terms(soups.get('glossary'))
    for o in chapters:
        soup = soups[o.name]
        glossary.explain(soup, o.name, terms)
        answers(soup)
        frame(soup, o, chapters, cfg.git_url)
        if o.name == 'index': index_page(soup, chapters)
        (out/f'{o.name}.html').write_text(str(soup), encoding='utf-8')
    for name in OWN: shutil.copy(HERE/name, out/'site_libs'/name)
    for name in ('search.json', 'site_libs/fuse', 'site_libs/bootstrap'):
        p = out/name
        shutil.rmtree(p) if p.is_dir() else p.unlink(missing_ok=True)
