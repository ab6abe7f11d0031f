import { createClient } from '../generated/hey-api/client';
import * as api from '../generated/hey-api/sdk.gen';
import { zErrorBody } from '../generated/hey-api/zod.gen';
import { type Connect, Refused, ROWS } from './steps';

export const connect: Connect = (baseUrl, auth) => {
  const client = createClient({ baseUrl, auth });
  const refused = (error: unknown) => new Refused(zErrorBody.parse(error).code);
  return {
    async listProjects() {
      const { data, error } = await api.listProjects({ client });
      if (data === undefined) throw refused(error);
      return Object.fromEntries(data.data.map(({ id, name }) => [id, name]));
    },
    async report(id) {
      const query = { granularity: 'quarterly' } as const;
      const { data, error } = await api.getProjectReport({ client, path: { id }, query });
      if (data === undefined) throw refused(error);
      return data.data.totals.total.actual;
    },
    async push() {
      const { data, error } = await api.pushTransactions({ client, body: { rows: ROWS } });
      if (data === undefined) throw refused(error);
      return data.data.map(({ status }) => status);
    },
    async readBack(externalId) {
      const { data, error } = await api.listTransactions({ client, query: { externalId } });
      if (data === undefined) throw refused(error);
      return data.data[0]?.amount;
    },
  };
};
