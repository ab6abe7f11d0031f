import createClient from 'openapi-fetch';
import type { components, paths } from '../generated/openapi-typescript';
import { type Connect, Refused, ROWS } from './steps';

type PushRow = components['schemas']['PushRow'];

export const connect: Connect = (baseUrl, key) => {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
  return {
    async listProjects() {
      const { data, error } = await client.GET('/api/v1/projects');
      if (data === undefined) throw new Refused(error.code);
      return Object.fromEntries(data.data.map(({ id, name }) => [id, name]));
    },
    async report(id) {
      const { data, error } = await client.GET('/api/v1/projects/{id}/report', {
        params: { path: { id }, query: { granularity: 'quarterly' } },
      });
      if (data === undefined) throw new Refused(error.code);
      return data.data.totals.total.actual;
    },
    async push() {
      const rows: PushRow[] = ROWS;
      const { data, error } = await client.POST('/api/v1/transactions', { body: { rows } });
      if (data === undefined) throw new Refused(error.code);
      return data.data.map(({ status }) => status);
    },
    async readBack(externalId) {
      const { data } = await client.GET('/api/v1/transactions', {
        params: { query: { externalId } },
      });
      return data?.data[0]?.amount;
    },
  };
};
