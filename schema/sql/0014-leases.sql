-- Who does what only one process may be at, and until when by the clock of this server.
create table lease (
  name text primary key,
  -- another one at each taking, so that it is the fence too: what a former holder still tries to write is told by it
  holder uuid not null,
  expires_at timestamptz not null
);
