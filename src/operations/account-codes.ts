/** Account codes (contract 5, 17): which lines claim them, and what waits for each. */

export {
  claimsOn,
  listProjectCodes,
  listSharedCodes,
  mapOtherClaims,
  sumClaims,
} from '../store/account-codes.ts';
