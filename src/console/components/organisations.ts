/** The organisations of a user who belongs to several, and the forms of their pages. */

import { formatId } from '../../core/ids.ts';
import { Html, type HtmlValue, html } from '../../http/html.ts';
import type { Session } from '../../store/sessions.ts';
import { listMemberships } from '../../store/users.ts';
import type { Visit } from '../session/visit.ts';
import { typed } from './elements.ts';
import { postForm } from './forms.ts';
import { PATHS } from './paths.ts';

/** The organisation whose page a form is on. */
const OF = 'of-organisation';

/** The organisations of the user of a session but the one whose pages are shown. */
export function otherOrganisations({ access, userId }: Session) {
  const { id } = access.organisation;
  return listMemberships(access, userId).filter(({ orgId }) => orgId !== id);
}

/** A button that leads to another organisation. */
export function organisationForm(
  { orgId, organisation }: ReturnType<typeof listMemberships>[number],
  button: HtmlValue,
): Html {
  const unseen = { organisation: formatId('org', orgId) };
  return postForm(
    PATHS.organisation,
    unseen,
    button ?? html`<button>${typed(organisation)}</button>`,
  );
}

/** A page, with the organisation added to every form that changes something. */
export function withOrganisation(content: Html, { access }: Session): Html {
  const field = html`<input type="hidden" name="${OF}" value="${idOf(access)}">`;
  const add = (form: string) => form + field.text;
  return new Html(...content.pieces.map((piece) => piece.replace(POST_FORM, add)));
}

/** No text of a person has these marks in it, nor has an attribute. */
const POST_FORM = /<form\b[^>]*\smethod="post"[^>]*>/g;

/**
 * Whether a form is on a page of another organisation than that of the session: a page that stayed
 * open when the user changed the organisation.
 */
export function isOfOther({ access, form }: Visit): boolean {
  const id = form.value(OF);
  return id !== undefined && id !== idOf(access);
}

function idOf({ organisation }: Session['access']): string {
  return formatId('org', organisation.id);
}
