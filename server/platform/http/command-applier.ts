import type { CommandBody, CommandKind, WireCommand } from '#contract/sync/commands.ts'
import type { Refusal } from '#contract/core/errors.ts'
import type { Permission, Role } from '#contract/core/roles.ts'
import type { Collection } from '#contract/sync/sync.ts'
import type { RevisionScope, Writing } from '#server/platform/db/database.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * How a feature takes part in sync: it says what each of its commands does, and `server/sync` does the rest (who the
 * author is, exactly once, receipts, order). The types stand here, beside `handler.ts`, because features may not
 * import `server/sync`.
 */

/** Who did it: proven by their session or by a capture token, with their name and rights as the database has them. */
export type Author = {
  id_user: number
  name: string
  role_ids: readonly Role[]
  permissions: ReadonlySet<Permission>
}

/** A row that the command made or changed, as a pull would bring it: it travels with the receipt. */
export type AppliedRow = { collection: Collection; row: Record<string, unknown> }
export type Applied = { rows: AppliedRow[] }

/** What needs no proof of an author (a punch carries a password instead) has none. */
export type AuthorOf<K extends CommandKind> = K extends 'punch.record' ? Author | null : Author

export type CommandContext<K extends CommandKind> = {
  /** The open transaction; its scopes are those that `scopes` of the applier named. */
  writing: Writing
  services: Services
  command: WireCommand
  /** Upcast to today's version and parsed. */
  body: CommandBody<K>
  author: AuthorOf<K>
  /** Whose session brought it; null for a punch that came without one. */
  deliverer: Scope | null
  /** When it happened in server time: the device's clock corrected by its measured offset, never later than `receivedAt`. */
  capturedAt: string
  receivedAt: string
}

/** Does the work inside the transaction. Throws `Refusal` to refuse: everything it wrote is then undone. */
export type CommandApplier<K extends CommandKind> = (context: CommandContext<K>) => Promise<Applied>

/** What a command means. */
export type CommandMeaning<K extends CommandKind> = {
  /** Which revisions are raised for it, before the transaction's first statement. */
  scopes: readonly RevisionScope[]
  apply: CommandApplier<K>
  /**
   * Applies a run of commands of this kind with few statements. Answers in their order, a refusal as a value;
   * a refused command must have written nothing, and no later try may cure it.
   */
  applyRun?: (contexts: CommandContext<K>[]) => Promise<(Applied | Refusal)[]>
  /**
   * It changes rows that other commands made, so it begins a transaction of its own: in that of the others, their receipts
   * would bring another row of the same revision than a pull does, and a device could not tell which is the newer.
   */
  changesOthers?: true
}

type IncomingCommand<K extends CommandKind> = { command: WireCommand; body: CommandBody<K>; services: Services; deliverer: Scope }

/** How a feature takes a kind of command. Most entries are use cases (`use-case.ts`), which calls share. */
export type CommandEntry<K extends CommandKind> = {
  /** What the author must be allowed in the command's store; null when nothing. */
  permission: Permission | null
  /** Reads and proves what it must before the transaction begins. @throws Refusal */
  prepare: (incoming: IncomingCommand<K>) => Promise<CommandMeaning<K>>
  /** What is still to be done when a command comes again whose receipt is there, beside answering with it. */
  repeated?: (incoming: IncomingCommand<K>) => Promise<void>
}

export type CommandEntries<Kinds extends CommandKind> = { [K in Kinds]: CommandEntry<K> }
