/** One operation of the page: what it takes, what it answers, and samples of it. */

import type {
  Example,
  OpenApiDocument,
  Operation,
  Parameter,
  Response,
  Schema,
} from '../api/openapi-document.ts';
import { OPERATION_WORDS } from '../api/openapi-operations.ts';
import { type Html, html } from '../http/html.ts';
import { memberList, nameOf, parameterList, resolve, typeOf } from './fields.ts';
import { highlight } from './highlight.ts';
import { inline, prose } from './prose.ts';
import { buildSamples, type Row, type SampleRequest } from './samples.ts';

/** An operation with its place. */
export interface PlacedOperation {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly operation: Operation;
}

/** The operations of a document in its order. */
export function listOperations({ paths }: OpenApiDocument): PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, { get, post }]) => [
    ...(get === undefined ? [] : [{ method: 'get', path, operation: get } as const]),
    ...(post === undefined ? [] : [{ method: 'post', path, operation: post } as const]),
  ]);
}

/** The method as a badge. */
export function badge(method: string): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`;
}

/** An operation, as a section. */
export function operationSection(document: OpenApiDocument, placed: PlacedOperation): Html {
  const { method, path, operation } = placed;
  const { operationId, summary, description } = operation;
  return html`
<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<div class="about">
<h3 id="${operationId}-title">${summary}</h3>
<p class="route">${badge(method)} <code>${path}</code></p>
${prose(description)}
${parameters(document, operation)}
${body(document, operation)}
${answers(document, operation)}
</div>
<div class="code">
${samples(document, placed)}
${examples(document, operation)}
</div>
</section>`;
}

function parameters(document: OpenApiDocument, { parameters: taken = [] }: Operation): Html {
  if (taken.length === 0) return html``;
  const resolved = taken.map((parameter) => resolve<Parameter>(document, parameter));
  return html`<h4>Parameters</h4>${parameterList(resolved)}`;
}

function body(document: OpenApiDocument, { requestBody }: Operation): Html {
  const schema = requestBody?.content['application/json']?.schema;
  if (requestBody === undefined || schema === undefined) return html``;
  const envelope = resolve<Schema>(document, schema);
  const { rows } = envelope['properties'] as Record<string, Schema>;
  const row = resolve<Schema>(document, (rows?.['items'] ?? {}) as Schema);
  return html`<h4>Body</h4>
${prose(requestBody.description)}
${memberList(envelope, true)}
<h4>Each row</h4>
${prose(String(row['description'] ?? ''))}
${memberList(row, true)}`;
}

function answers(document: OpenApiDocument, { responses }: Operation): Html {
  const accepted: Html[] = [];
  const refused: Html[] = [];
  for (const [status, each] of Object.entries(responses)) {
    const response = resolve<Response>(document, each);
    const [media] = Object.values(response.content);
    const codes = listCodes(media?.examples ?? {});
    const isRefused = codes.length > 0 && status !== '422';
    const shown = isRefused
      ? codes.map((code) => html`<a href="#code-${code}"><code>${code}</code></a> `)
      : html`${inline(response.description)} ${link(media)}`;
    const line = html`<li><span class="status">${status}</span> <span>${shown}</span></li>`;
    (isRefused ? refused : accepted).push(line);
  }
  return html`<h4>Answers</h4><ul class="answers">${accepted}</ul>
<details class="refusals"><summary>Refusals that it can meet</summary>
<ul class="answers">${refused}</ul></details>`;
}

function listCodes(examples: Readonly<Record<string, Example | { $ref: string }>>): string[] {
  return Object.values(examples).flatMap((each) => ('$ref' in each ? [nameOf(each.$ref)] : []));
}

function link(media: { schema: Schema } | undefined): Html {
  return media !== undefined && '$ref' in media.schema ? typeOf(media.schema) : html``;
}

function samples(document: OpenApiDocument, placed: PlacedOperation): Html {
  const { operationId } = placed.operation;
  const each = buildSamples(requestOf(document, placed)).map(
    ({ language, title, note, code }, at) => html`
<section class="sample" data-title="${title}"${at === 0 && html` data-shown`}>
<h5>${title}</h5>
<pre tabindex="0" data-language="${language}"><code>${highlight(code, language)}</code></pre>
<p class="note">${note}</p>
</section>`,
  );
  return html`<h4 id="${operationId}-samples">Samples</h4>
<div class="samples" data-label="${operationId}-samples">${each}
</div>`;
}

/** The sample's request: identifiers as in the examples, the body that of the first example. */
export function requestOf(document: OpenApiDocument, placed: PlacedOperation): SampleRequest {
  const { path, method, operation } = placed;
  const taken = (operation.parameters ?? []).map((each) => resolve<Parameter>(document, each));
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    return String(taken.find((parameter) => parameter.name === name)?.example);
  });
  const { operationId, security, requestBody } = operation;
  const words = OPERATION_WORDS[operationId as keyof typeof OPERATION_WORDS];
  const isPage = taken.some(({ name }) => name === 'cursor');
  return {
    kind: method === 'post' ? 'push' : isPage ? 'page' : 'document',
    path: filled,
    query: words?.sampleQuery ?? {},
    isKeyed: security.length > 0,
    rows: rowsOf(Object.values(requestBody?.content['application/json']?.examples ?? {})),
  };
}

function rowsOf(found: readonly (Example | { $ref: string })[]): readonly Row[] {
  const [first] = found;
  if (first === undefined || '$ref' in first) return [];
  return (first.value as { rows: readonly Row[] }).rows;
}

function examples(document: OpenApiDocument, { responses }: Operation): Html {
  const shown = Object.entries(responses).flatMap(([status, each]) => {
    const [media] = Object.values(resolve<Response>(document, each).content);
    // Refusals are shown once, in the catalogue; that of a push has results of its own.
    const isShown = status === '200' || status === '422';
    return Object.values(isShown ? (media?.examples ?? {}) : {}).map((example) => {
      return { status, ...resolve<Example>(document, example) };
    });
  });
  return html`<h4>Examples of answers</h4>${shown.map(
    ({ status, summary, value }, at) => html`
<details class="example"${at === 0 && html` open`}>
<summary><span class="status">${status}</span> ${summary}</summary>
${jsonBlock(value)}
</details>`,
  )}`;
}

/** A JSON document as code, its small objects on one line as a person would write them. */
export function jsonBlock(value: unknown): Html {
  const code = JSON.stringify(value, null, 2).replace(/\{[^{}[\]]*\}/g, (found) => {
    const line = found.replace(/\s*\n\s*/g, ' ');
    return line.length > LINE_CHARACTERS ? found : line;
  });
  return html`<pre tabindex="0"><code>${highlight(code, 'json')}</code></pre>`;
}

const LINE_CHARACTERS = 60;
