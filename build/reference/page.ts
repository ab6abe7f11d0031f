/** The page at `/docs`: the OpenAPI document in human-readable form. */

import { ADDRESS } from '../../src/docs/routes.ts';
import { type Html, html } from '../../src/http/html.ts';
import { memberList, typeOf } from './fields.ts';
import { firstRequest } from './first-request.ts';
import type { CatalogueLine, OpenApiDocument, Schema } from './openapi-document.ts';
import {
  badge,
  jsonBlock,
  listBodySchemas,
  listOperations,
  operationSection,
} from './operations.ts';
import { inline, prose, sections } from './prose.ts';

/** The page, with {@link ADDRESS} in place of the service's address. */
export function buildPage(document: OpenApiDocument): Html {
  const { info } = document;
  const contents = contentsOf(document);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="The HTTP interface of ${info.title}: ${info.summary}">
<title>${info.title}: the HTTP interface</title>
<link rel="icon" href="data:image/svg+xml,${ICON}">
<link rel="stylesheet" href="docs.css">
<script src="docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<p class="brand"><a href="docs">${info.title}</a></p>
<p class="machine"><a href="openapi.json">openapi.json</a></p>
<details class="menu"><summary>Contents</summary><nav aria-label="Contents">${contents}</nav>
</details>
</header>
<nav class="side" aria-label="Contents">${contents}</nav>
<main id="content" tabindex="-1">
${introduction(document)}
${groups(document)}
${catalogue(document)}
${schemas(document)}
<footer><p>Built from <a href="openapi.json">this server's OpenAPI document</a>.</p></footer>
</main>
</body>
</html>
`;
}

/** Three bars of a report, in the colour of the page. */
const ICON = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#0a6472" d="M2 8h3v6' +
    'H2zM6.5 2h3v12h-3zM11 5h3v9h-3z"/></svg>',
);

/** The text before the operations, without the codes: they have a separate section. */
function introductionOf({ info }: OpenApiDocument): Map<string, string> {
  const found = sections(info.description);
  found.delete('Codes');
  return found;
}

function contentsOf(document: OpenApiDocument): Html {
  const operations = listOperations(document);
  const headings = [...introductionOf(document).keys()].filter((heading) => heading !== '');
  const groupLinks = document.tags.map(({ name }) => {
    const links = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ method, operation: { operationId, summary } }) => {
        return html`<li><a href="#${operationId}">${badge(method)} ${summary}</a></li>`;
      });
    return html`<p><a href="#${name}">${name}</a></p><ul>${links}</ul>`;
  });
  return html`<p><a href="#content">Before you start</a></p>
<ul><li><a href="#first-request">First request in a minute</a></li>${headings.map(
    (name) => html`<li><a href="#${slug(name)}">${name}</a></li>`,
  )}</ul>
${groupLinks}
<p><a href="#codes">Codes</a></p>
<ul><li><a href="#refusals">Refused requests</a></li>
<li><a href="#row-errors">Rejected rows</a></li>
<li><a href="#row-warnings">Warnings</a></li></ul>
<p><a href="#schemas">Documents</a></p>`;
}

function introduction(document: OpenApiDocument): Html {
  const { info } = document;
  const [[, lead] = ['', ''], ...rest] = introductionOf(document);
  return html`<h1>The HTTP interface of ${info.title}</h1>
<div class="lead">${prose(lead)}</div>
<dl class="facts">
<div><dt>This server</dt><dd><code class="address">${ADDRESS}</code></dd></div>
<div><dt>Interface</dt><dd>version ${info.version.split('.', 1)}</dd></div>
<div><dt>Machine-readable</dt><dd><a href="openapi.json">openapi.json</a>, OpenAPI ${
    document.openapi
  }</dd></div>
</dl>
<div class="sections">${firstRequest(document)}${rest.map(
    ([name, text]) => html`
<section id="${slug(name)}" data-kind="Guide"><h2>${name}</h2>${prose(text)}</section>`,
  )}
</div>`;
}

function groups(document: OpenApiDocument): Html {
  const operations = listOperations(document);
  return html`${document.tags.map(
    ({ name, description }) => html`
<section class="group" id="${name}"><h2>${name}</h2>${prose(description)}${operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map((placed) => operationSection(document, placed))}
</section>`,
  )}`;
}

function catalogue(document: OpenApiDocument): Html {
  const { refusals, rowErrors, rowWarnings } = document['x-catalogue'];
  const { examples } = document.components;
  return html`
<section class="group" id="codes"><h2>Codes</h2>
<section id="refusals"><h3>Refused requests</h3>${refusals.map(
    (line) => html`
<section class="line" id="code-${line.code}" data-kind="Code">${codeLine(line, 'code')}
<details class="example"><summary>Example</summary>
${jsonBlock(examples[line.code]?.value)}
</details>
</section>`,
  )}
</section>
<section id="row-errors"><h3>Rejected rows</h3>${rowErrors.map(rowLine)}</section>
<section id="row-warnings"><h3>Warnings of accepted rows</h3>${rowWarnings.map(rowLine)}</section>
</section>`;
}

function rowLine(line: CatalogueLine): Html {
  const id = `row-${line.code}`;
  return html`<section class="line" id="${id}" data-kind="Code">${codeLine(line, 'row')}</section>`;
}

function codeLine({ code, status, means, remedy }: CatalogueLine, prefix: string): Html {
  return html`<h4><a href="#${prefix}-${code}"><code>${code}</code></a>${
    status !== undefined && html` <span class="status">${status}</span>`
  }</h4>
<p>${inline(means)} <span class="remedy">What to do: ${inline(remedy)}.</span></p>`;
}

function schemas(document: OpenApiDocument): Html {
  return html`
<section class="group" id="schemas"><h2>Documents</h2>
<p>Every document with its members.</p>${Object.entries(document.components.schemas).map(
    ([name, schema]) => html`
<section class="schema" id="schema-${name}" data-kind="Document">
<h3><a href="#schema-${name}">${name}</a></h3>
${prose(String(schema['description']))}${shapeOf(document, name, schema)}
</section>`,
  )}
</section>`;
}

function shapeOf(document: OpenApiDocument, name: string, schema: Schema): Html {
  const sender = listOperations(document).find(({ operation }) => {
    return listBodySchemas(document, operation).includes(name);
  });
  if (sender !== undefined) {
    const { operationId, summary } = sender.operation;
    return html`<p>For its members, see <a href="#${operationId}">${summary}</a>.</p>`;
  }
  if (schema['properties'] !== undefined) {
    return memberList(document, name, { showsRequired: false });
  }
  const { pattern } = schema;
  const form = typeof pattern === 'string' && html`, as <code>${pattern}</code>`;
  return html`<p class="type">${typeOf(document, schema)}${form}</p>`;
}

function slug(heading: string): string {
  return heading.toLowerCase().replaceAll(' ', '-');
}
