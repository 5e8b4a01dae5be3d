CREATE TABLE "clock" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"trusted_at" timestamp with time zone NOT NULL,
	"latest_at" timestamp with time zone NOT NULL,
	"doubted_at" timestamp with time zone,
	CONSTRAINT "clock_one_row" CHECK (id = 1)
);
