/**
 * What the page does where scripts run: it puts the address it was reached by into the samples,
 * makes tabs of them and lets them be copied. Without it everything stands one below the other.
 */

/** The script of the page, as browsers of the last years read it. */
export const SCRIPT = `'use strict';
(() => {
  const KEY = 'budgetd-docs-language';
  document.documentElement.classList.add('script');

  const stored = () => {
    try { return localStorage.getItem(KEY); } catch { return null; }
  };
  const store = (title) => {
    try { localStorage.setItem(KEY, title); } catch { /* It is only a convenience. */ }
  };

  const showAddress = () => {
    const address = new URL('.', location.href).href.replace(/\\/$/, '');
    for (const place of document.querySelectorAll('.address')) place.textContent = address;
  };

  const groups = [];

  const select = (title, origin) => {
    for (const tabs of groups) {
      for (const tab of tabs) {
        const isSelected = tab.textContent === title;
        tab.setAttribute('aria-selected', String(isSelected));
        tab.tabIndex = isSelected ? 0 : -1;
        tab.panel.toggleAttribute('data-shown', isSelected);
      }
    }
    if (origin) origin.focus();
  };

  /** Choosing in one place chooses everywhere, and what is looked at stays where it is. */
  const choose = (tab) => {
    const before = tab.getBoundingClientRect().top;
    select(tab.textContent, tab);
    store(tab.textContent);
    scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
  };

  const onKey = (event, tabs) => {
    const at = tabs.indexOf(event.currentTarget);
    const last = tabs.length - 1;
    const to = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(tabs[to]);
  };

  /** Browsers offer the clipboard only to pages over https or from this machine. */
  const addCopy = (samples, bar) => {
    if (!navigator.clipboard) return;
    const button = document.createElement('button');
    const say = (text) => { button.textContent = text; };
    button.type = 'button';
    button.className = 'copy';
    button.setAttribute('aria-live', 'polite');
    say('Copy');
    button.addEventListener('click', () => {
      const code = samples.querySelector('[data-shown] pre').textContent;
      navigator.clipboard.writeText(code + '\\n').then(() => say('Copied'), () => say('Refused'));
      setTimeout(() => say('Copy'), 2000);
    });
    bar.append(button);
  };

  const makeTabs = (samples, number) => {
    const list = document.createElement('div');
    list.className = 'tabs';
    list.setAttribute('role', 'tablist');
    list.setAttribute('aria-labelledby', samples.dataset.label);
    const tabs = [...samples.querySelectorAll('.sample')].map((panel, at) => {
      const tab = document.createElement('button');
      tab.type = 'button';
      tab.id = 'tab-' + number + '-' + at;
      panel.id = 'panel-' + number + '-' + at;
      tab.textContent = panel.dataset.title;
      tab.panel = panel;
      tab.setAttribute('role', 'tab');
      tab.setAttribute('aria-controls', panel.id);
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', tab.id);
      tab.addEventListener('click', () => choose(tab));
      list.append(tab);
      return tab;
    });
    for (const tab of tabs) tab.addEventListener('keydown', (event) => onKey(event, tabs));
    const bar = document.createElement('div');
    bar.className = 'bar';
    bar.append(list);
    addCopy(samples, bar);
    samples.prepend(bar);
    groups.push(tabs);
  };

  /** The menu of a small screen would hide where its link has led. */
  const closeMenu = (event) => {
    event.currentTarget.closest('details').open = false;
  };

  document.addEventListener('DOMContentLoaded', () => {
    showAddress();
    [...document.querySelectorAll('.samples')].forEach(makeTabs);
    const titles = (groups[0] || []).map((tab) => tab.textContent);
    if (titles.length > 0) select(titles.includes(stored()) ? stored() : titles[0]);
    for (const link of document.querySelectorAll('.menu a')) {
      link.addEventListener('click', closeMenu);
    }
  });
})();
`;
