import type { SyncTables } from '#server/db/tables/sync-tables.ts'
import type { PeopleTables } from '#server/db/tables/people-tables.ts'
import type { LibraryTables } from '#server/db/tables/library-tables.ts'
import type { StockTables } from '#server/db/tables/stock-tables.ts'
import type { ReceiptTables } from '#server/db/tables/receipt-tables.ts'
import type { PatientTables } from '#server/db/tables/patient-tables.ts'
import type { RecordTables } from '#server/db/tables/record-tables.ts'
import type { PcpTables } from '#server/db/tables/pcp-tables.ts'
import type { InsuranceTables } from '#server/db/tables/insurance-tables.ts'
import type { SaleTables } from '#server/db/tables/sale-tables.ts'
import type { CountTables } from '#server/db/tables/count-tables.ts'
import type { PunchTables } from '#server/db/tables/punch-tables.ts'
import type { SecurityTables } from '#server/db/tables/security-tables.ts'

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
    ReceiptTables,
    PatientTables,
    RecordTables,
    PcpTables,
    InsuranceTables,
    SaleTables,
    CountTables,
    PunchTables,
    SecurityTables {}
