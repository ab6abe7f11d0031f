/** One operation of the page: parameters, body, answers and samples. */

import { type Html, html } from '../../src/http/html.ts';
import { listMembers, memberList, nameOf, parameterList, resolve, typeOf } from './fields.ts';
import { highlight, type Language } from './highlight.ts';
import type {
  Example,
  OpenApiDocument,
  Operation,
  Parameter,
  Response,
  Schema,
} from './openapi-document.ts';
import { OPERATION_WORDS } from './openapi-operations.ts';
import { inline, prose } from './prose.ts';
import { buildSamples, type Row, type SampleRequest } from './samples.ts';

/** An operation with its method and path. */
interface PlacedOperation {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly operation: Operation;
}

/** The operations of a document, in its order. */
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

/** An operation as a section of the page. */
export function operationSection(document: OpenApiDocument, placed: PlacedOperation): Html {
  const { method, path, operation } = placed;
  const { operationId, summary, description } = operation;
  return html`
<section class="operation" id="${operationId}" data-kind="Operation">
<div class="about">
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="route">${badge(method)} <code>${path}</code></p>
${prose(description)}
${parameters(document, operation)}
${body(document, operation)}
${answers(document, operation)}
${examples(document, operation)}
</div>
<div class="code">
<h4 id="${operationId}-samples">Samples</h4>
${samples(document, placed, `${operationId}-samples`)}
</div>
</section>`;
}

function parameters(document: OpenApiDocument, operation: Operation): Html {
  const { operationId, parameters: taken = [] } = operation;
  if (taken.length === 0) return html``;
  const resolved = taken.map((parameter) => resolve<Parameter>(document, parameter));
  return html`<h4>Parameters</h4>${parameterList(document, operationId, resolved)}`;
}

function body(document: OpenApiDocument, operation: Operation): Html {
  const [envelope, row] = listBodySchemas(document, operation);
  if (envelope === undefined || row === undefined) return html``;
  const { description } = document.components.schemas[row] ?? {};
  return html`<h4>Body</h4>
${prose(operation.requestBody?.description ?? '')}
${memberList(document, envelope, { showsRequired: true })}
<h4>Each row</h4>
${prose(String(description))}
${memberList(document, row, { showsRequired: true })}`;
}

/** The schemas of a body, outermost first. The page shows them with their operation. */
export function listBodySchemas(document: OpenApiDocument, { requestBody }: Operation): string[] {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return [];
  const items = listMembers(resolve<Schema>(document, schema)).map(([, { items }]) => items);
  return [schema, ...items].map((each) => nameOf(String(Object(each).$ref)));
}

function answers(document: OpenApiDocument, { responses }: Operation): Html {
  const accepted: Html[] = [];
  const refused: Html[] = [];
  for (const [status, each] of Object.entries(responses)) {
    const response = resolve<Response>(document, each);
    const [media] = Object.values(response.content ?? {});
    const codes = listCodes(media?.examples ?? {});
    const isRefused = codes.length > 0 && status !== '422';
    const shown = isRefused
      ? codes.map((code) => html`<a href="#code-${code}"><code>${code}</code></a> `)
      : html`${inline(response.description)} ${link(document, media)}`;
    const line = html`<li><span class="status">${status}</span> <span>${shown}</span></li>`;
    (isRefused ? refused : accepted).push(line);
  }
  return html`<h4>Answers</h4><ul class="answers">${accepted}</ul>
<details class="refusals"><summary>Error codes</summary>
<ul class="answers">${refused}</ul></details>`;
}

function listCodes(examples: Readonly<Record<string, Example | { $ref: string }>>): string[] {
  return Object.values(examples).flatMap((each) => ('$ref' in each ? [nameOf(each.$ref)] : []));
}

function link(document: OpenApiDocument, media: { schema: Schema } | undefined): Html {
  return media !== undefined && '$ref' in media.schema ? typeOf(document, media.schema) : html``;
}

/** The samples of an operation; `label` is the id of their heading. */
export function samples(document: OpenApiDocument, placed: PlacedOperation, label: string): Html {
  const each = buildSamples(requestOf(document, placed)).map(
    ({ language, title, note, code }, at) => html`
<div class="sample" data-title="${title}"${at === 0 && html` data-shown`}>
<p class="language">${title}</p>
<pre tabindex="0" data-language="${language}"><code>${highlight(code, language)}</code></pre>
<p class="note">${note}</p>
</div>`,
  );
  return html`<div class="samples" data-label="${label}">${each}
</div>`;
}

/** The request of the samples, with identifiers and a body from the examples. */
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
  // The catalogue shows refusals. Only a rejected push also has results.
  const shown = ['200', '422'].flatMap((status) =>
    listExamples(document, responses[status]).map((example) => ({ status, ...example })),
  );
  return html`<h4>Examples of answers</h4>${shown.map(
    ({ status, summary, value }, at) => html`
<details class="example"${at === 0 && html` open`}>
<summary><span class="status">${status}</span> ${summary}</summary>
${jsonBlock(value)}
</details>`,
  )}`;
}

/** The first example of a 200. */
export function exampleOf(document: OpenApiDocument, { responses }: Operation): Html {
  const [first] = listExamples(document, responses['200']);
  return jsonBlock(first?.value);
}

function listExamples(
  document: OpenApiDocument,
  response: Response | { $ref: string } | undefined,
): Example[] {
  if (response === undefined) return [];
  const [media] = Object.values(resolve<Response>(document, response).content ?? {});
  return Object.values(media?.examples ?? {}).map((each) => resolve<Example>(document, each));
}

/** A JSON document as code, with small objects on one line. */
export function jsonBlock(value: unknown): Html {
  const code = JSON.stringify(value, null, 2).replace(/\{[^{}[\]]*\}/g, (found) => {
    const line = found.replace(/\s*\n\s*/g, ' ');
    return line.length > LINE_CHARACTERS ? found : line;
  });
  return codeBlock(code, 'json');
}

const LINE_CHARACTERS = 60;

/** Code with a copy button, outside the samples. */
export function codeBlock(code: string, language: Language): Html {
  return html`<div class="block"><pre tabindex="0"><code>${highlight(code, language)}</code></pre>
</div>`;
}
