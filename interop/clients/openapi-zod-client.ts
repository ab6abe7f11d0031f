import { isErrorFromAlias } from '@zodios/core';
import { api, createApiClient } from '../generated/openapi-zod-client';
import { type Connect, Refused, ROWS } from './steps';

export const connect: Connect = (url, key) => {
  const headers = { Authorization: `Bearer ${key}` };
  const client = createApiClient(url, { axiosConfig: { headers } });
  return {
    async listProjects() {
      const { data } = await client.listProjects();
      return Object.fromEntries(data.map(({ id, name }) => [id, name]));
    },
    async report(id) {
      try {
        const queries = { granularity: 'quarterly' } as const;
        const { data } = await client.getProjectReport({ params: { id }, queries });
        return data.totals.total.actual;
      } catch (error) {
        if (!isErrorFromAlias(api.api, 'getProjectReport', error)) throw error;
        throw new Refused(error.response.data.code);
      }
    },
    async push() {
      const { data } = await client.pushTransactions({ rows: ROWS });
      return data.map(({ status }) => status);
    },
    async readBack(externalId) {
      const { data } = await client.listTransactions({ queries: { externalId } });
      return data[0]?.amount;
    },
  };
};
