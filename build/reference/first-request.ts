/** The start of the page: a key, an environment variable, a request and its answer. */

import { type Html, html } from '../../src/http/html.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { codeBlock, exampleOf, listOperations, samples } from './operations.ts';

/** The simplest operation that needs a key. */
const OPERATION_ID = 'listProjects';

/** The steps from a new key to the first answer, in every language. */
export function firstRequest(document: OpenApiDocument): Html {
  const placed = listOperations(document).find(
    ({ operation }) => operation.operationId === OPERATION_ID,
  );
  if (placed === undefined) throw new Error(`There is no operation ${OPERATION_ID}.`);
  const { security, summary } = placed.operation;
  const [scope] = Object.values(security[0] ?? {}).flat();
  const create = `budgetd keys create --name test --scope ${scope}`;
  return html`
<section class="first" id="first-request" data-kind="Guide">
<h2>First request in a minute</h2>
<ol class="steps">
<li><p>Create an API key where budgetd runs, or ask an administrator. It is shown only once.</p>
${codeBlock(create, 'curl')}</li>
<li><p>Put the key in an environment variable, in a POSIX shell or PowerShell:</p>
${codeBlock('export BUDGETD_KEY="bdg_live_…"', 'curl')}
${codeBlock('$env:BUDGETD_KEY = "bdg_live_…"', 'powershell')}</li>
<li><p id="first-samples">List the projects:</p>
${samples(document, placed, 'first-samples')}</li>
<li><p>The answer is a page of projects. See <a href="#${OPERATION_ID}">${summary}</a> for more.</p>
${exampleOf(document, placed.operation)}</li>
</ol>
</section>`;
}
