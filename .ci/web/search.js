// Search in the reader's browser: as many of the words as possible, exact before prefix before synonym before fuzzy. No server, works from file://
(() => {
  'use strict';
  const STOP = new Set(('a about all am an and any are as at be been by can could did do does done every for from get gets give given go got had has have he her his how i if in into is it its just like make makes me much my need no not of off on one or our out per please she should so some ' +
    'than that the their them then there these they this time to too us use used using very want was we were what when where which while who why will with would you your').split(' '));
  // where newcomers' questions are answered counts more, a single function less
  const PAGES = {'guide.html': 2.5, 'troubleshooting.html': 2.5, 'glossary.html': 2}, SYMBOL = .5;
  const EXACT = 1, PREFIX = .55, SYNONYM = .6, FUZZY = .25;
  const stem = w => w.length > 4 ? w.replace(/(ies)$/, 'y').replace(/(?<=..)(ing|ed|es|s)$/, '').replace(/(.)\1$/, '$1').replace(/e$/, '') : w.replace(/(?<=..)s$/, '');
  const split = text => text.toLowerCase().normalize('NFKD').replace(/[\u0300-\u036f]/g, '').match(/[\p{L}\p{N}]+/gu) || [];

  // within: is b at most n edits from a?
  const near = (a, b, n) => {
    if (Math.abs(a.length - b.length) > n) return false;
    let row = [...Array(b.length + 1).keys()];
    for (let i = 1; i <= a.length; i++) {
      let diagonal = row[0]; row[0] = i;
      for (let j = 1; j <= b.length; j++) {
        const up = row[j];
        row[j] = Math.min(up + 1, row[j - 1] + 1, diagonal + (a[i - 1] !== b[j - 1]));
        diagonal = up;
      }
    }
    return row[b.length] <= n;
  };

  // word -> [[entry, weight]]: a heading's words count more than the page's title, that more than the text
  const build = ({pages, synonyms}) => {
    const entries = [], posts = new Map();
    pages.forEach(([href, number, title, parts]) => parts.forEach(([anchor, heading, text, symbol]) => {
      const id = entries.length, weight = new Map(), size = /\w[._]\w/.test(heading) ? 60 : Math.min(split(text).length, 90);
      const top = !heading;
      entries.push({id, kind: (PAGES[href] || 1) * (symbol ? SYMBOL : 1) * (text ? 1 : .5), href: href + (anchor ? '#' + anchor : ''), page: (number ? number + ' ' : '') + title, heading, text, top, words: split(heading || title).filter(w => !STOP.has(w)).map(stem)});
      const add = (s, w, cap) => { const n = new Map(); split(s).forEach(o => n.set(stem(o), (n.get(stem(o)) || 0) + 1)); n.forEach((c, o) => weight.set(o, (weight.get(o) || 0) + w * Math.min(c, cap) ** .5)); };
      add(heading, 7, 1); add(title, top ? 14 : 2, 1); add(text, 2 / (.5 + size / 60) ** .4, 6);   // a word in a short text says more
      weight.forEach((w, o) => { if (!posts.has(o)) posts.set(o, []); posts.get(o).push([id, w]); });
    }));
    const more = new Map(Object.entries(synonyms).map(([k, v]) => [stem(k), v.split(' ').map(stem)]));
    return {entries, posts, more, vocabulary: [...posts.keys()]};
  };

  // the indexed words that a word of the question stands for, with how well
  const readings = (index, word, last) => {
    const found = new Map(), put = (w, s) => { if (index.posts.has(w) && !(found.get(w) >= s)) found.set(w, s); };
    put(word, EXACT);
    (index.more.get(word) || []).forEach(w => put(w, SYNONYM));
    if (word.length > 2 || last) index.vocabulary.forEach(w => { if (w !== word && w.length > word.length && w.startsWith(word)) put(w, PREFIX); });
    if (!found.size && word.length > 3) index.vocabulary.forEach(w => { if (near(word, w, word.length > 7 ? 2 : 1)) put(w, FUZZY); });
    return found;
  };

  const find = (index, question, limit = 12) => {
    const all = split(question), words = all.filter(w => !STOP.has(w)), asked = (words.length ? words : all).map(stem);
    if (!asked.length) return [];
    const every = asked.map((word, i) => readings(index, word, i === asked.length - 1)), read = every.filter(found => found.size);   // a word that is nowhere is left out
    if (!read.length) return [];
    const scores = read.map(found => {
      const score = new Map();
      found.forEach((how, w) => {
        const list = index.posts.get(w), rare = Math.log(1 + index.entries.length / list.length);
        list.forEach(([id, weight]) => score.set(id, Math.max(score.get(id) || 0, how * rare * weight)));
      });
      return score;
    });
    // how much each word matters: the rarer, the more
    const matter = read.map(found => Math.max(...[...found].map(([w, how]) => how * Math.log(1 + index.entries.length / index.posts.get(w).length)))), whole = matter.reduce((a, b) => a + b, 0);
    const hits = [];
    index.entries.forEach(e => {
      const has = scores.map(s => s.has(e.id)), share = matter.reduce((sum, m, i) => sum + (has[i] ? m : 0), 0) / whole;
      if (share < .4) return;
      let total = e.kind * share ** 3 * scores.reduce((sum, s) => sum + (s.get(e.id) || 0), 0);
      const inHeading = read.filter(found => e.words.some(w => found.has(w) && found.get(w) !== PREFIX)).length;
      total *= 1 + 2 * inHeading / Math.max(read.length, e.words.length);             // the heading is the question
      if ((e.heading + ' ' + e.text).toLowerCase().includes(question.toLowerCase())) total *= /\w[-_.]\w/.test(question) ? 4 : 1.5;   // in these very words
      if (share > .999) total *= 2;                                                 // all the words
      if (e.top && inHeading === read.length && e.words.length === read.length) total *= 2;   // a page's title
      if (/^--?\w/.test(question) && e.heading.endsWith(' ' + question)) total *= 4;      // an option, as it is written
      hits.push([total, e]);
    });
    return hits.sort((a, b) => b[0] - a[0]).slice(0, limit).map(([, e]) => e);
  };

  // ---- the page
  const box = document.getElementById('search'), input = document.getElementById('query'), list = document.getElementById('results');
  const base = document.querySelector('meta[name="smalldocs:offset"]').content;
  let index = null, active = -1, loading = null;
  const load = () => loading ||= new Promise(done => {
    const s = document.createElement('script');
    s.src = base + 'site_libs/search-index.js';
    s.onload = () => { index = build(window.SEARCH_INDEX); done(); };
    document.head.append(s);
  });
  const escape = s => s.replace(/[&<>"]/g, c => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'}[c]));
  const mark = (text, question) => {
    const stems = split(question).filter(w => !STOP.has(w)).map(stem).filter(w => w.length > 1);
    const at = Math.max(0, text.toLowerCase().search(new RegExp(stems.map(s => '\\b' + s).join('|') || '^', 'i')) - 50);
    return (at ? '… ' : '') + escape(text.slice(at, at + 170)).replace(/[\p{L}\p{N}]+/gu, w => stems.some(s => w.toLowerCase().startsWith(s)) ? `<mark>${w}</mark>` : w);
  };
  const close = () => { list.hidden = true; input.setAttribute('aria-expanded', 'false'); input.removeAttribute('aria-activedescendant'); active = -1; };
  const choose = i => {
    const items = [...list.querySelectorAll('a')];
    if (!items.length) return;
    active = (i + items.length) % items.length;
    items.forEach((o, n) => o.setAttribute('aria-selected', n === active));
    items[active].scrollIntoView({block: 'nearest'});
    input.setAttribute('aria-activedescendant', items[active].id);
  };
  const show = async () => {
    const question = input.value.trim();
    if (!question) return close();
    await load();
    if (question !== input.value.trim()) return;
    const hits = find(index, question);
    list.innerHTML = hits.length ? hits.map((e, i) => `<a role="option" id="hit-${i}" href="${base + e.href}"><span class="where">${escape(e.page)}</span><span class="what">${escape(e.heading || e.page)}</span>` +
      `<span class="text">${mark(e.text, question)}</span></a>`).join('') : '<p>Nothing has these words.</p>';
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    choose(0);
  };
  input.addEventListener('input', show);
  input.addEventListener('focus', () => { load(); if (input.value) show(); });
  input.addEventListener('keydown', e => {
    if (e.key === 'ArrowDown' || e.key === 'ArrowUp') { e.preventDefault(); choose(active + (e.key === 'ArrowDown' ? 1 : -1)); }
    else if (e.key === 'Enter') { e.preventDefault(); list.querySelectorAll('a')[Math.max(active, 0)]?.click(); }
    else if (e.key === 'Escape') { close(); input.value = ''; input.blur(); }
  });
  list.addEventListener('click', e => { if (e.target.closest('a')) { close(); input.blur(); } });
  document.addEventListener('click', e => { if (!box.contains(e.target)) close(); });
  document.addEventListener('keydown', e => {
    if (e.key === '/' && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName) && !e.ctrlKey && !e.metaKey) { e.preventDefault(); input.focus(); input.select(); }
  });
  window.siteSearch = async question => { await load(); return find(index, question).map(e => [e.href, e.heading]); };   // for tests
})();
