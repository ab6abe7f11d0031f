/**
 * The script of the console, which makes quicker what every page does without it. It sends no
 * requests.
 */

/** What is wrong, or what was done, is what to read first. */
document.querySelector<HTMLElement>('.problem, .flash')?.focus();

/** On a phone, the bar begins where the current page is. */
if (matchMedia('(max-width: 44rem)').matches) {
  const current = document.querySelector('.places [aria-current]');
  current?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

/** Escape closes an open menu, and the focus returns to what opened it. */
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !(event.target instanceof Element)) return;
  const menu = event.target.closest('details[open]');
  if (!(menu instanceof HTMLDetailsElement)) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
});

/** Copies a text, with what tells that it was copied. */
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset['copy'] ?? '');
    try {
      await navigator.clipboard.writeText(source?.textContent ?? '');
      button.textContent = 'Copied';
    } catch {
      // Only https and localhost may: select it instead.
      if (source !== null) getSelection()?.selectAllChildren(source);
      button.textContent = 'Selected';
    }
  });
}
