/**
 * Empties a page that is left open when its session ends: after the time without use, or when
 * another tab signs out. A page with something in it that is not saved stays.
 */

import { SESSIONS } from '../../core/limits.ts';

const signOut = document.querySelector('form[action="/sign-out"]');
if (signOut !== null) {
  const channel = new BroadcastChannel('signed-out');
  const empty = () => {
    if (document.querySelector('[data-unsaved=yes]') !== null) return;
    const again = document.createElement('a');
    again.href = location.href;
    again.textContent = 'Show the page again';
    document.body.replaceChildren(again);
  };
  channel.addEventListener('message', empty);
  signOut.addEventListener('submit', () => channel.postMessage(''));
  setTimeout(empty, SESSIONS.idleMinutes * 60_000);
}
