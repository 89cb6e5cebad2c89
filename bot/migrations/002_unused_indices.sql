-- No query looks for tables by these: a running bot has its live tables in memory.
DROP INDEX tables_of_channel;
DROP INDEX tables_of_guild;
