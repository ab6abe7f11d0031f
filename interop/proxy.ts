/** A later service of ours: its answers have members and codes that nobody knows yet. */

import { createServer, type Server } from 'node:http';

/** Forwards to the service. */
export function createProxy(url: string): Server {
  return createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization = '', 'content-type': type } = request.headers;
    const answer = await fetch(url + request.url, {
      method: request.method ?? 'GET',
      headers: { authorization, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const body = JSON.stringify(await answer.json(), later);
    response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(body);
  });
}

/** A value as a later version would send it. */
function later(name: string, value: unknown): unknown {
  const added = { addedLater: 'yes' };
  if (Array.isArray(value)) {
    if (name === 'warnings') return [...value, { ...ISSUE, ...added }];
    return name === 'changed' ? [...value, 'addedLater'] : value;
  }
  if (name === 'code') return 'added_later';
  if (name === 'provider') return 'added-later';
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, ...added };
}

const ISSUE = { field: 'addedLater', code: 'added_later', message: 'Something new.' };
