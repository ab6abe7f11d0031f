/** The start of the page: a key, an environment variable, a request and its answer. */

import type { OpenApiDocument } from '../api/openapi-document.ts';
import { type Html, html } from '../http/html.ts';
import { codeBlock, exampleOf, listOperations, samples } from './operations.ts';

/** The simplest operation that needs a key. */
const OPERATION_ID = 'listProjects';

/** Three steps from nothing to an answer, in every language. */
export function firstRequest(document: OpenApiDocument): Html {
  const placed = listOperations(document).find(
    ({ operation }) => operation.operationId === OPERATION_ID,
  );
  if (placed === undefined) throw new Error(`There is no operation ${OPERATION_ID}.`);
  const { security, summary } = placed.operation;
  const [scope] = Object.values(security[0] ?? {}).flat();
  const create = `budgetd keys create --name first --scope ${scope} > budgetd.key`;
  return html`
<section class="operation first" id="first-request" data-kind="Guide">
<div class="about">
<h2>First request in a minute</h2>
<ol class="steps">
<li><p>Create an API key on the machine that runs budgetd, or ask an administrator for one.</p>
${codeBlock(create, 'curl')}</li>
<li><p>Put the key into an environment variable. In a POSIX shell:</p>
${codeBlock('export BUDGETD_KEY="$(cat budgetd.key)"', 'curl')}
<p>In PowerShell:</p>
${codeBlock('$env:BUDGETD_KEY = (Get-Content budgetd.key).Trim()', 'powershell')}</li>
<li><p id="first-samples">Ask for the projects:</p>
${samples(document, placed, 'first-samples')}</li>
</ol>
</div>
<div class="code">
<h3>The answer</h3>
${exampleOf(document, placed.operation)}
<p class="note">Every member is described at <a href="#${OPERATION_ID}">${summary}</a>.</p>
</div>
</section>`;
}
