CREATE TABLE "vector_renewal" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"is_paused" boolean NOT NULL,
	CONSTRAINT "vector_renewal_one_row" CHECK (id = 1)
);
