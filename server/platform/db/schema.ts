import type { SyncTables } from '#server/platform/db/tables/sync-tables.ts'
import type { PeopleTables } from '#server/platform/db/tables/people-tables.ts'
import type { LibraryTables } from '#server/platform/db/tables/library-tables.ts'
import type { StockTables } from '#server/platform/db/tables/stock-tables.ts'
import type { ReceivingTables } from '#server/platform/db/tables/receiving-tables.ts'
import type { PatientTables } from '#server/platform/db/tables/patient-tables.ts'
import type { RecordTables } from '#server/platform/db/tables/record-tables.ts'
import type { PcpTables } from '#server/platform/db/tables/pcp-tables.ts'
import type { InsuranceTables } from '#server/platform/db/tables/insurance-tables.ts'
import type { MoneyTables } from '#server/platform/db/tables/money-tables.ts'
import type { CountTables } from '#server/platform/db/tables/count-tables.ts'
import type { PunchTables } from '#server/platform/db/tables/punch-tables.ts'
import type { SecurityTables } from '#server/platform/db/tables/security-tables.ts'

/**
 * The tables, as queries see them. Instants are ISO strings with `Z` on both engines (see `database.ts`), money is
 * whole cents, jsonb columns are written with `JSON.stringify` and read parsed.
 */
export interface Schema
  extends
    SyncTables,
    PeopleTables,
    LibraryTables,
    StockTables,
    ReceivingTables,
    PatientTables,
    RecordTables,
    PcpTables,
    InsuranceTables,
    MoneyTables,
    CountTables,
    PunchTables,
    SecurityTables {}
