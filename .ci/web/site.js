// The frame's behaviour: light or dark, the sidebar, the drawing's lit stage, explained terms, folded code that a link points into.
(() => {
  'use strict';
  const root = document.documentElement, $ = s => document.querySelector(s);
  const theme = $('#theme');
  const set = mode => {
    root.dataset.bsTheme = mode;
    root.classList.toggle('quarto-dark', mode === 'dark');
    theme.setAttribute('aria-pressed', mode === 'dark');
  };
  set(root.dataset.bsTheme);
  theme.addEventListener('click', () => { const mode = root.dataset.bsTheme === 'dark' ? 'light' : 'dark'; localStorage.setItem('theme', mode); set(mode); });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', e => { if (!localStorage.getItem('theme')) set(e.matches ? 'dark' : 'light'); });

  // smalldocs.js opens and closes the sidebar on narrow screens
  const side = $('#quarto-sidebar'), menu = $('#menu');
  new MutationObserver(() => menu.setAttribute('aria-expanded', side.classList.contains('show'))).observe(side, {attributeFilter: ['class']});
  side.addEventListener('click', e => { if (e.target.closest('a') && side.classList.contains('show')) menu.click(); });
  document.addEventListener('keydown', e => { if (e.key === 'Escape' && side.classList.contains('show')) { menu.click(); menu.focus(); } });
  const here = side.querySelector('[aria-current]');
  if (here) side.scrollTop = here.offsetTop - side.offsetTop - 120;

  // where the drawing is wider than the screen, show the lit stage
  document.querySelectorAll('.pipeline').forEach(f => {
    const lit = f.querySelector('.lit');
    if (lit && f.scrollWidth > f.clientWidth) f.scrollLeft += lit.getBoundingClientRect().left - f.getBoundingClientRect().left - f.clientWidth / 3;
  });

  // what scrolls sideways can be scrolled by keys
  const reach = () => document.querySelectorAll('main pre, main table, main .pipeline, main .cell-output-display, main .math.display').forEach(o => {
    if (o.scrollWidth > o.clientWidth) o.tabIndex = 0; else o.removeAttribute('tabindex');
  });
  addEventListener('load', reach);
  addEventListener('resize', reach);

  // an explanation stays on the screen
  document.querySelectorAll('.term-box').forEach(o => {
    const place = () => {
      const tip = o.querySelector('.tip');
      tip.style.left = '0';
      const over = tip.getBoundingClientRect().right - (root.clientWidth - 12);
      if (over > 0) tip.style.left = `${-over}px`;
    };
    o.addEventListener('mouseenter', place);
    o.addEventListener('focusin', place);
  });

  const unfold = () => { try { $(decodeURIComponent(location.hash) || null)?.closest('details')?.setAttribute('open', ''); } catch { /* no selector */ } };
  addEventListener('hashchange', unfold);
  unfold();
})();
