-- A small double-entry ledger of a charity, in SQLite. Amounts are in pence. Accounts 1200 to 1299
-- are cash: the bank and the petty cash.
create table moves (
  id integer primary key,
  date text not null,
  reference text,
  description text not null,
  state text not null default 'posted' check (state in ('posted', 'void'))
) strict;

create table lines (
  id integer primary key,
  move_id integer not null references moves (id) on delete cascade,
  account text not null,
  project text,
  debit integer not null default 0,
  credit integer not null default 0
) strict;

insert into moves (id, date, reference, description) values
  (1, '2026-01-05', 'GR-1', 'Grant, first part'),
  (2, '2026-01-06', 'PV-1', 'Rent of January'),
  (3, '2026-01-20', 'PV-2', 'Coach and hall'),
  (4, '2026-02-02', 'TR-1', 'To the petty cash'),
  (5, '2026-02-06', 'PV-3', 'Rent of February'),
  (6, '2026-02-14', 'PC-1', 'Paint');

insert into lines (move_id, account, project, debit, credit) values
  (1, '1200', null, 500000, 0), (1, '4000', 'YOU', 0, 500000),
  (2, '7100', 'YOU', 120000, 0), (2, '1200', null, 0, 120000),
  (3, '7500', 'YOU', 15000, 0), (3, '7510', 'ELD', 4550, 0), (3, '1200', null, 0, 19550),
  (4, '1210', null, 10000, 0), (4, '1200', null, 0, 10000),
  (5, '7100', 'YOU', 120000, 0), (5, '1200', null, 0, 120000),
  (6, '7600', 'ELD', 1999, 0), (6, '1210', null, 0, 1999);
