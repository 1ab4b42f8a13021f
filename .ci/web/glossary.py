"Terms of the glossary, explained at their first use in each chapter: a link to the glossary, with the definition on hover and focus."
import re
from bs4 import BeautifulSoup, NavigableString

NOT_IN = {'a', 'code', 'pre', 'script', 'style', 'h1', 'h2', 'h3', 'h4', 'th', 'summary', 'figcaption', 'svg', 'button', 'audio'}

def terms(soup)->dict:
    "{term: (anchor, first paragraph under its heading)} of the glossary's page."
    found = {}
    for h in soup.main.select('h3') if soup else []:
        says = re.sub(r'\s*\([^()]*\)$', '', ' '.join(h.find_next('p').get_text().split()))     # without the chapter
        for term in h.get_text().split(', '): found[term.strip()] = (h['data-anchor-id'], says)
    return found

def pattern(term):
    "A term with capitals as it stands, others in either case; with a plural."
    return re.compile(rf'(?<![\w-]){re.escape(term)}(?:s|es)?(?![\w-])', 0 if re.search('[A-Z]', term) else re.I)

def prose(text):
    "Whether a string of the page is prose."
    around = [o for o in text.parents if o.name not in ('main', '[document]')]
    return any(o.name in ('p', 'li', 'td') for o in around) and not any(
        o.name in NOT_IN or {'cell', 'facts', 'term-box'} & set(o.get('class', [])) for o in around)

def explained(word, anchor, says):
    "A word with its explanation."
    new = BeautifulSoup(f'<span class="term-box"><a class="term" href="glossary.html#{anchor}" aria-describedby="term-{anchor}"></a>'
                        f'<span class="tip" role="tooltip" id="term-{anchor}"></span></span>', 'html.parser')
    new.a.string, new.select_one('.tip').string = word, says
    return new

def explain(soup, page, found):
    "Mark the first use of each term on a page."
    if page == 'glossary': return
    for text in [o for o in soup.main.find_all(string=True) if prose(o)]:
        hits = [(m.start(), -m.end(), m[0], found[term]) for term in found if (m := pattern(term).search(text))]
        new, at = [], 0
        for start,end,word,what in sorted(hits):
            if start < at or what not in found.values(): continue
            new += [NavigableString(text[at:start]), explained(word, *what)]
            at, found = -end, {k: v for k,v in found.items() if v != what}
        if new: text.replace_with(*new, NavigableString(text[at:]))
