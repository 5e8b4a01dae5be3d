CREATE TABLE "backup_code" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"factor_id" uuid NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "factor" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" text NOT NULL,
	"friendly_name" text NOT NULL,
	"factor_type" text NOT NULL,
	"issuer" text NOT NULL,
	"secret" text NOT NULL,
	"status" text DEFAULT 'unverified' NOT NULL,
	"last_step" bigint DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "factor_challenge" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"factor_id" uuid NOT NULL,
	"session_id" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "level" text DEFAULT 'aal1' NOT NULL;--> statement-breakpoint
ALTER TABLE "backup_code" ADD CONSTRAINT "backup_code_factor_id_factor_id_fk" FOREIGN KEY ("factor_id") REFERENCES "public"."factor"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "factor" ADD CONSTRAINT "factor_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "factor_challenge" ADD CONSTRAINT "factor_challenge_factor_id_factor_id_fk" FOREIGN KEY ("factor_id") REFERENCES "public"."factor"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "factor_challenge" ADD CONSTRAINT "factor_challenge_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "backup_code_hash" ON "backup_code" USING btree ("factor_id","hash");--> statement-breakpoint
CREATE INDEX "factor_user_id" ON "factor" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "factor_one_verified" ON "factor" USING btree ("user_id") WHERE status = 'verified';--> statement-breakpoint
CREATE INDEX "factor_challenge_session" ON "factor_challenge" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "factor_challenge_factor" ON "factor_challenge" USING btree ("factor_id");--> statement-breakpoint
CREATE INDEX "outbox_due_at" ON "outbox" USING btree ("due_at");