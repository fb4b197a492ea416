-- migration: expand
-- Component D: saved scenarios of simulations, inputs only.
create table simulation_scenario (
  id uuid primary key,
  name text not null,
  -- the account that saved it
  issuer text not null,
  subject text not null,
  -- administrators of the group may read it; null: its author alone
  group_id text,
  inputs jsonb not null,
  -- codes and ids of delegations in the inputs, for the erasure of citizens
  named text[] not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index simulation_scenario_name on simulation_scenario (issuer, subject, name);
create index simulation_scenario_created on simulation_scenario (created_at, id);
create index simulation_scenario_group on simulation_scenario (group_id, created_at, id);
create index simulation_scenario_named on simulation_scenario using gin (named);
