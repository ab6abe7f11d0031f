/** Account codes (contract 5, 17): which lines claim them, and what waits for each. */

export {
  type ClaimGroup,
  claimsOn,
  listProjectCodes,
  listSharedCodes,
  mapOtherClaims,
  type OtherClaim,
  sumClaims,
} from '../store/account-codes.ts';
