"Terms of the glossary, explained at their first use in each chapter: a link to the glossary, with the definition on hover and focus."
import re
from bs4 import BeautifulSoup, NavigableString

NOT_IN = {'a', 'code', 'pre', 'script', 'style', 'h1', 'h2', 'h3', 'h4', 'th', 'summary', 'figcaption', 'svg', 'button', 'audio'}

def terms(soup)->dict:
    "{term: (anchor, first paragraph under its heading)} of the glossary's page."
    found = {}
    for h in soup.main.select('h3') if soup else []:
        p = h.find_next('p')
        for term in h.get_text().split(', '): found[term.strip()] = (h['data-anchor-id'], p.get_text(' ', strip=True))
    return found

def pattern(term):
    "A term with capitals as it stands, others in either case; with a plural."
    return re.compile(rf'(?<![\w-]){re.escape(term)}(?:s|es)?(?![\w-])', 0 if re.search('[A-Z]', term) else re.I)

def allowed(text):
    "Whether a string of the page is prose."
    return all(o.name not in NOT_IN and not {'cell', 'cell-output', 'facts', 'term-box'} & set(o.get('class', [])) for o in text.parents if o.name != 'main')

def explain(soup, page, found):
    "Mark the first use of each term on a page."
    if page == 'glossary' or not found: return
    texts = [t for o in soup.main.select('p, li, td') for t in o.find_all(string=True) if allowed(t)]
    seen = set()
    for t in texts:
        if id(t) in seen: continue
        seen.add(id(t))
        hits = [(m.start(), -len(m[0]), m, term) for term in found if (m := pattern(term).search(t))]
        out, at = [], 0
        for _,_,m,term in sorted(hits, key=lambda o: o[:2]):
            if m.start() < at or term not in found: continue
            anchor,says = found[term]
            for other in [o for o in found if found[o] == found[term]]: found = {k: v for k,v in found.items() if k != other}
            box = f'<span class="term-box"><a class="term" href="glossary.html#{anchor}" aria-describedby="term-{anchor}"></a><span class="tip" role="tooltip" id="term-{anchor}"></span></span>'
            new = BeautifulSoup(box, 'html.parser')
            new.a.string, new.select_one('.tip').string = m[0], says
            out += [NavigableString(t[at:m.start()]), new]
            at = m.end()
        if out:
            last = NavigableString(t[at:])
            t.replace_with(*out, last)
