"The search index: one entry for each heading, and for each option of the command line; a script, so that it loads from file://, too."
import json, re

# what people write: what the pages say
SYNONYMS = {'install': 'pip extra setup', 'setup': 'install pip', 'latency': 'soonest', 'delay': 'soonest', 'ttfb': 'soonest', 'reproducible': 'same twice', 'deterministic': 'same twice',
            'random': 'seed dice', 'repeatable': 'same twice', 'quality': 'cost robot likeness', 'llm': 'feed', 'chatgpt': 'llm feed', 'gpt': 'llm feed', 'lane': 'track', 'rng': 'seed', 'cuda': 'nvidia gpu',
            'mac': 'apple metal', 'metal': 'apple mac', 'quantize': 'bits', 'quantise': 'bits', 'quantized': 'bits', 'int8': 'bits', '8bit': 'bits', 'emotion': 'instruct say', 'style': 'instruct', 'tone': 'instruct',
            'imitate': 'clone', 'cloning': 'clone', 'speed': 'fast faster slow', 'fast': 'faster speed', 'slow': 'faster speed mkl', 'train': 'tune training', 'scratch': 'nothing', 'finetune': 'tune', 'finetuning': 'tune', 'server': 'serve api',
            'http': 'serve', 'openai': 'serve', 'api': 'serve reference', 'rest': 'serve', 'endpoint': 'serve', 'vocoder': 'decoder', 'tokenizer': 'codec text', 'embedding': 'vector', 'stop': 'eos guard ends end cut', 'hang': 'guard runaway',
            'endless': 'guard runaway', 'repeat': 'penalty', 'paper': 'report bibliography', 'citation': 'bibliography', 'licence': 'license', 'cli': 'command', 'flag': 'option', 'argument': 'option', 'offline': 'reached download',
            'internet': 'reached download', 'wifi': 'reached download', 'architecture': 'pipeline works', 'minp': 'filter', 'microphone': 'recording', 'mp3': 'format', 'speaker': 'voice', 'download': 'hub', 'weights': 'checkpoint tensors',
            'gpu': 'nvidia metal', 'different': 'changes another', 'other': 'another changes', 'wrong': 'another not', 'robotic': 'robot', 'laptop': 'linux machine cpu', 'computer': 'machine linux', 'ram': 'memory', 'oom': 'memory', 'vram': 'memory',
            'numbers': 'digits', 'number': 'digits', 'numerals': 'digits', 'background': 'noise music', 'audiobook': 'long', 'book': 'long', 'article': 'long text', 'paragraph': 'long text', 'audio': 'sound', 'output': 'device',
            'silent': 'device sound', 'nothing': 'device', 'mute': 'device', 'visualize': 'see inside plot picture', 'visualise': 'see inside plot picture', 'interpretability': 'see inside trace', 'hook': 'see inside watch', 'activations': 'see inside hidden',
            'macbook': 'apple mac', 'm1': 'apple mac', 'm2': 'apple mac', 'm3': 'apple mac', 'm4': 'apple mac', 'windows': 'machine installation', 'error': 'fails', 'slower': 'how say', 'louder': 'how say', 'whisper': 'how say',
            'data': 'recordings', 'dataset': 'recordings', 'person': 'voice speaker', 'people': 'voices speakers', 'same': 'seed', 'always': 'seed', 'cut': 'length', 'truncated': 'cut', 'missing': 'cut', 'stuck': 'never ends', 'loop': 'never ends',
            'description': 'describe', 'sad': 'how say', 'happy': 'how say', 'angry': 'how say', 'calm': 'how say', 'excited': 'how say', 'big': 'parameters size', 'large': 'parameters size',
            'result': 'sound', 'early': 'cut', 'middle': 'cut', 'commercial': 'license', 'commercially': 'license', 'crash': 'fails damaged', 'many': 'batch', 'csv': 'batch lines', 'own': 'clone', 'pip': 'install installation', 'websocket': 'serve', 'docker': 'container serve', 'python': 'import', 'model': 'checkpoint', 'second': 'seconds', 'chinese': 'language', 'german': 'language', 'french': 'language'}

def words(o): return ' '.join(o.get_text().split())

def sections(main):
    "(heading or None for the page's top, its own text) of a page: prose, docstrings and tables; of code only what is declared."
    heading, text = None, []
    for o in main.find_all(['h2', 'h3', 'h4', 'p', 'li', 'td', 'pre', 'figcaption', 'div']):
        if o.name in ('h2', 'h3', 'h4'):
            yield heading, ' '.join(text)
            heading, text = o, []
        elif o.name == 'div':
            if 'description' in o.get('class', []): text.append(words(o))
        elif o.name == 'pre':
            if not o.find_parent(class_='cell-output') or o.find_parent(class_='cell-output-markdown'):
                text += [m[1].replace('_', ' ')+' '+m[1] for m in re.finditer(r'^(?:def|class) (\w+)', o.get_text(), re.M)] + re.findall(r'# (.*)', o.get_text())
        elif not o.select('.source-link') and not (o.name == 'p' and o.find_parent(['li', 'td'])) and not o.find_parent('tr', id=True): text.append(words(o))
    yield heading, ' '.join(text)

def entries(chapter, soup):
    "[anchor, heading, text] for everything that can be found on a page; a fourth, 1, for a function or class."
    out, symbols = [], [o.parent.find_previous_sibling('h3') for o in soup.main.select('.source-link')]
    for heading,text in sections(soup.main):
        if heading is None: out.append(['', '', text])
        else: out.append([heading.get('data-anchor-id') or heading.get('id') or '', words(heading), text] + [1]*any(heading is o for o in symbols))
    for row in soup.main.select('tr[id]'):
        cells = [words(o) for o in row.find_all('td')]
        option = row.code.get_text().split(' ')[-2 if len(row.code.get_text().split(' ')) > 1 else -1]
        out.append([row['id'], f'{row.get("data-command", "")} {option}'.strip(), ' '.join(cells)])
    return out

def write(out, chapters, soups):
    pages = [[f'{o.name}.html', o.number, o.title, entries(o, soups[o.name])] for o in chapters]
    data = json.dumps(dict(pages=pages, synonyms=SYNONYMS), ensure_ascii=False, separators=(',', ':')).replace('</', '<\\/')
    (out/'site_libs'/'search-index.js').write_text(f'window.SEARCH_INDEX = {data};\n', encoding='utf-8')
