import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findCurrency } from '../../src/core/currencies.ts';
import { Failure } from '../../src/core/failures.ts';
import '../../src/core/organisations.ts';
import { DEFAULT_PLAN, explainNoAccess, PLANS, SCOPES } from '../../src/core/plans.ts';

describe('contract 2, step 5: plans', () => {
  it('2 lists the plans in order, and the plan of a new organisation', () => {
    assert.deepEqual([...PLANS], ['free', 'starter', 'professional', 'enterprise']);
    assert.equal(DEFAULT_PLAN, 'professional');
  });

  const plans = { free: false, starter: false, professional: true, enterprise: true } as const;
  for (const plan of PLANS) {
    it(`5.4 ${plan} ${plans[plan] ? 'includes' : 'lacks'} api_access`, () => {
      assert.equal(explainNoAccess(plan) === undefined, plans[plan]);
    });
  }

  it('5.6 has the scopes of the specification', () => {
    assert.deepEqual(
      [...SCOPES],
      [
        'projects:read',
        'reports:read',
        'allocations:read',
        'transactions:read',
        'transactions:write',
      ],
    );
  });
});

describe('contract 1: currencies of ISO 4217 and their minor units', () => {
  const places: Record<string, number> = {
    GBP: 2,
    EUR: 2,
    USD: 2,
    CHF: 2,
    HUF: 2,
    CZK: 2,
    INR: 2,
    MRU: 2,
    VES: 2,
    VED: 2,
    JPY: 0,
    KRW: 0,
    CLP: 0,
    ISK: 0,
    UGX: 0,
    VND: 0,
    XAF: 0,
    XOF: 0,
    XPF: 0,
    KWD: 3,
    BHD: 3,
    IQD: 3,
    JOD: 3,
    LYD: 3,
    OMR: 3,
    TND: 3,
    CLF: 4,
    UYW: 4,
  };
  for (const [code, wanted] of Object.entries(places)) {
    it(`1 ${code} has ${wanted} decimal places`, () => {
      assert.deepEqual(findCurrency(code), { code, places: wanted });
    });
  }

  for (const code of ['', 'gbp', 'Gbp', 'XXX', 'XTS', 'XAU', 'DEM', 'GB', 'GBPP', ' GBP', '£']) {
    it(`1 "${code}" cannot be the currency of a budget`, () => {
      assert.equal(findCurrency(code), undefined);
    });
  }

  it('1 a name that every object inherits is not a currency', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      assert.equal(findCurrency(name), undefined);
    }
  });
});

describe('contract 3: a refusal is a single value', () => {
  it('3 details and header fields are empty by default', () => {
    const failure = new Failure('not_found', 'There is no such project.');
    assert.ok(failure instanceof Error);
    assert.deepEqual(
      [failure.name, failure.code, failure.message, failure.details, failure.headers],
      ['Failure', 'not_found', 'There is no such project.', [], {}],
    );
  });

  it('3 keeps details and header fields', () => {
    const details = [{ field: 'rows', code: 'invalid_envelope', message: 'missing' }];
    const headers = { 'Retry-After': '2' };
    const failure = new Failure('unavailable', 'Busy.', { details, headers });
    assert.deepEqual([failure.details, failure.headers], [details, headers]);
  });
});
