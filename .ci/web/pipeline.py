"The way of the data as one drawing: python .ci/web/pipeline.py writes nbs/pipeline.svg; the site shows it in each chapter with its stage lit."
from html import escape
from pathlib import Path

FILE = Path(__file__).resolve().parents[2]/'nbs'/'pipeline.svg'
W, H, BOX = 1060, 300, 52
# colours of text, codec, voice and sound in the chapters' pictures; one set for each mode
LIGHT = '--ink:#1f2328; --soft:#59636e; --card:#ffffff; --text:#0072b2; --lm:#8a5a00; --codec:#00735a; --voice:#a8447f'
DARK = '--ink:#e6e9ec; --soft:#a9b1ba; --card:#212529; --text:#6cb9ee; --lm:#f0b84a; --codec:#4fd1ac; --voice:#e59bc8'
RULES = '''.pl { font-family: system-ui, sans-serif; font-size: 13px; color: var(--ink) } .pl text { fill: var(--ink); text-anchor: middle }
.pl .name { font-weight: 600; font-size: 15px } .pl .soft { fill: var(--soft); font-size: 12px } .pl .end { font-style: italic; font-size: 15px }
.pl rect { fill: var(--card); stroke: var(--kind); stroke-width: 1.5 } .pl .tint { fill: var(--kind); fill-opacity: .12; stroke: none }
.pl .wire { fill: none; stroke: var(--soft); stroke-width: 1.4 } .pl marker path { fill: var(--soft) }
.pl .lit rect { stroke-width: 4 } .pl .lit .tint { fill-opacity: .38; stroke: none } .pl .lit .end { font-weight: 700; text-decoration: underline }
.pl a:hover .name, .pl a:focus .name { text-decoration: underline }'''

# name, page, what it does, kind, left edge, middle, width
STAGES = [('Text', 'text', 'bytes to tokens', 'text', 92, 82, 120),
          ('Prompt', 'prompt', 'two tracks, added', 'text', 272, 82, 132),
          ('Talker', 'talker', '12.5 steps a second', 'lm', 472, 82, 150),
          ('Predictor', 'predictor', '15 steps a frame', 'lm', 690, 82, 134),
          ('Decoder', 'decoder', '1920 samples a frame', 'codec', 680, 228, 166),
          ('Encoder', 'encoder', 'one latent per 1920', 'codec', 150, 264, 146),
          ('Quantizer', 'rvq', '16 codebooks', 'codec', 396, 264, 120),
          ('Speaker encoder', 'speaker', 'any length, one vector', 'voice', 150, 190, 170)]
ENDS = [('words', 'sentences', 40, 87), ('sound', 'audio', 976, 233), ('recording', 'files', 58, 232)]
# the path, the words on it, and where they stand
WIRES = [('M70 82H90', '', 0, 0), ('M212 82H270', 'ids [T]', 241, 74), ('M404 82H470', 'columns', 437, 66), ('', '[T,H]', 437, 103),
         ('M622 82H688', 'code 0', 655, 66), ('', '1 of 16', 655, 103),
         ('M757 56V30H547V54', 'all 16 codes, read back: the next column, 80 ms later', 652, 22),
         ('M757 108V200', 'codes [T,16], 12.5 frames a second', 873, 160), ('M846 228H946', 'samples [N]', 896, 219), ('', '24,000/s', 896, 247),
         ('M96 228C122 228 120 190 148 190', '', 0, 0), ('M96 230C122 230 120 264 148 264', '', 0, 0), ('M296 264H394', 'latents [T,D]', 345, 255), ('', '12.5/s', 345, 281),
         ('M320 190H342V110', 'x-vector [H]', 388, 184), ('M456 236V150H374V110', 'codes [T,16]', 500, 205)]
# the same for a narrow screen: two columns, from top to bottom
TALL_W, TALL_H = 374, 604
TALL_STAGES = dict(text=(16, 78, 152), rvq=(206, 168, 152), encoder=(206, 78, 152), speaker=(206, 258, 152), prompt=(16, 352, 342),
                   talker=(16, 448, 152), predictor=(206, 448, 152), decoder=(206, 570, 152))
TALL_ENDS = dict(sentences=(92, 27), files=(282, 27), audio=(62, 575))
TALL_WIRES = [('M92 33V50', '', 0, 0), ('M282 33V50', '', 0, 0), ('M324 22H368V258H360', '', 0, 0), ('M92 104V324', 'ids [T]', 64, 220),
              ('M282 104V140', 'latents [T,D]', 324, 126), ('M206 168H188V324', 'codes [T,16]', 146, 220), ('M282 284V324', 'x-vector [H]', 322, 308),
              ('M92 378V420', 'columns [T,H]', 138, 399), ('M168 440H204', 'code 0', 190, 415), ('M236 474V498H132V476', 'all 16, read back:', 152, 515), ('', 'the next column', 152, 531),
              ('M320 474V542', 'codes [T,16]', 276, 524), ('M206 570H92', 'samples [N]', 148, 562), ('', '24,000/s', 148, 588)]
# what a chapter is about, where it isn't a stage of its own
MODEL = 'talker predictor decoder encoder rvq speaker'.split()
LIT = dict(tour=['text', 'prompt', *MODEL], text=['text'], sentences=['sentences'], audio=['audio', 'files'], files=['audio', 'files'], conv=['encoder', 'decoder'],
           attention=['talker', 'predictor', 'encoder', 'decoder'], transformer=['talker', 'predictor', 'encoder', 'decoder'],
           codec=['encoder', 'rvq', 'decoder'], sampling=['talker', 'predictor'], network=['talker', 'predictor', 'speaker'], generate=['talker', 'predictor'],
           weights=MODEL, hub=MODEL, convert=MODEL, thread=MODEL, streaming=['decoder', 'audio'], feed=['sentences', 'text'], guard=['talker'],
           voice=['speaker', 'encoder', 'rvq'], speech=['text', 'prompt', *MODEL], official=['text', 'prompt', *MODEL], model=['text', 'prompt', *MODEL],
           engine=['talker', 'predictor', 'decoder'], bench=['talker', 'predictor', 'decoder'], teacher=['audio'], training=MODEL, train_codec=['encoder', 'rvq', 'decoder'],
           train_talker=['talker', 'predictor'], trace=['talker', 'predictor', 'decoder'], finetune=['talker', 'predictor'], evaluate=['audio'], playback=['audio'], batch=['sentences', 'audio'], serve=['sentences', 'audio'], api=['sentences', 'audio'], cores=MODEL, cli=['text', 'prompt', *MODEL])
LIT |= {o[1]: [o[1]] for o in STAGES}
SAYS = ('Text becomes token ids, ids a prompt of columns; the talker reads it and writes the first code of a frame 12.5 times a second, the predictor the 15 others; '
        'the codec decoder makes 1920 samples of each frame. A recording becomes codes by encoder and quantizer, and an x-vector by the speaker encoder; both go into the prompt.')

def inside(page:str=None,     # whose stage is lit
           href='{}.html',    # where a stage's chapter is
           tall=False,        # for a narrow screen
           )->str:
    "The drawing's content."
    lit, tip = LIT.get(page, []), 'pl-tip-tall' if tall else 'pl-tip'
    stages = [(*o[:4], *TALL_STAGES[o[1]]) for o in STAGES] if tall else STAGES
    ends = [(*o[:2], *TALL_ENDS[o[1]]) for o in ENDS] if tall else ENDS
    out = [f'<defs><marker id="{tip}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>']
    for path,words,x,y in TALL_WIRES if tall else WIRES:
        if path: out.append(f'<path class="wire" d="{path}" marker-end="url(#{tip})"/>')
        if words: out.append(f'<text class="soft" x="{x}" y="{y}">{escape(words)}</text>')
    for name,target,x,y in ends:
        out.append(f'<a href="{href.format(target)}"{" class=lit" if target in lit else ""}><text class="end" x="{x}" y="{y}">{name}</text></a>'.replace('class=lit', 'class="lit"'))
    for name,target,does,kind,x,y,w in stages:
        box = f'x="{x}" y="{y-BOX/2:.0f}" width="{w}" height="{BOX}" rx="8"'
        out.append(f'<a href="{href.format(target)}"{" class=lit" if target in lit else ""} style="--kind:var(--{kind})"><rect {box}/><rect class="tint" {box}/>'.replace('class=lit', 'class="lit"') +
                   f'<text class="name" x="{x+w/2:.0f}" y="{y-3}">{name}</text><text class="soft" x="{x+w/2:.0f}" y="{y+16}">{does}</text></a>')
    return '\n'.join(out)

def drawing(page:str=None)->str:
    "For a page: its colours follow the page's; the style sheet shows the form that fits."
    def form(kind, w, h, **kw): return f'<svg class="pl {kind}" viewBox="0 0 {w} {h}" role="group" aria-label="{escape(SAYS)}">\n{inside(page, **kw)}\n</svg>'
    return form('wide', W, H) + '\n' + form('tall', TALL_W, TALL_H, tall=True)

def file()->str:
    "By itself: its colours follow the browser's."
    style = f'.pl {{ {LIGHT} }} @media (prefers-color-scheme: dark) {{ .pl {{ {DARK} }} }}\n{RULES}'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="pl" viewBox="0 0 {W} {H}" role="img">\n<title>{escape(SAYS)}</title>\n<style>{style}</style>\n{inside(href="{}.ipynb")}\n</svg>\n'

PAGE_STYLE = f'.pl {{ {LIGHT} }} [data-bs-theme=dark] .pl {{ {DARK} }}\n{RULES}'

if __name__ == '__main__': FILE.write_text(file(), encoding='utf-8')
