-- What the last sync of an integration could not take over, line by line.
create table integration_losses (
  integration uuid not null references integrations (id) on delete cascade,
  number int not null,
  line text not null,
  primary key (integration, number)
);
