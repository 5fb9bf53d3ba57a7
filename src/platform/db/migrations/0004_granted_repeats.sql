-- What was asked of the service's rules on the way to an answer, to be asked again before a repeat is given it.
alter table platform.answers add column granted text;
