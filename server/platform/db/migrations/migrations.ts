import type { Migration } from 'kysely'
import { firstTables } from '#server/platform/db/migrations/0001-first-tables.ts'
import { securitySettings } from './0160-security-settings.ts'
import { settingsScope } from '#server/platform/db/migrations/0002-settings-scope.ts'
import { countsInHistory } from '#server/platform/db/migrations/0003-counts-in-history.ts'
import { frozenItems } from '#server/platform/db/migrations/0004-frozen-items.ts'
import { unconfirmedRotations } from '#server/platform/db/migrations/0005-unconfirmed-rotations.ts'
import { deviceReports } from '#server/platform/db/migrations/0006-device-reports.ts'
import { tablets } from '#server/platform/db/migrations/0007-tablets.ts'
import { patients } from '#server/platform/db/migrations/0008-patients.ts'
import { prescriptions } from '#server/platform/db/migrations/0009-prescriptions.ts'
import { insurance } from '#server/platform/db/migrations/0010-insurance.ts'
import { patientFiles } from '#server/platform/db/migrations/0011-patient-files.ts'
import { messages } from '#server/platform/db/migrations/0012-messages.ts'
import { imports } from '#server/platform/db/migrations/0016-imports.ts'
import { invoices } from '#server/platform/db/migrations/0017-invoices.ts'
import { removedTablets } from '#server/platform/db/migrations/0018-removed-tablets.ts'
import { appointments } from '#server/platform/db/migrations/0019-appointments.ts'
import { pcps } from '#server/platform/db/migrations/0020-pcps.ts'
import { portal } from '#server/platform/db/migrations/0021-portal.ts'
import { fileThumbnails } from '#server/platform/db/migrations/0022-file-thumbnails.ts'
import { withdrawnPrescriptions } from '#server/platform/db/migrations/0023-withdrawn-prescriptions.ts'
import { prescriptionScans } from '#server/platform/db/migrations/0024-prescription-scans.ts'
import { stockLists } from '#server/platform/db/migrations/0027-stock-lists.ts'
import { frameLibrary } from '#server/platform/db/migrations/0030-frame-library.ts'
import { providerNumbers } from '#server/platform/db/migrations/0031-provider-numbers.ts'
import { transfers } from '#server/platform/db/migrations/0032-transfers.ts'
import { labels } from '#server/platform/db/migrations/0033-labels.ts'
import { storeInvoices } from '#server/platform/db/migrations/0034-store-invoices.ts'
import { vendorReturns } from '#server/platform/db/migrations/0035-vendor-returns.ts'
import { learnedUpcs } from '#server/platform/db/migrations/0036-learned-upcs.ts'
import { patientReturns } from '#server/platform/db/migrations/0037-patient-returns.ts'
import { modelPhotos } from '#server/platform/db/migrations/0038-model-photos.ts'
import { settingsAudit } from '#server/platform/db/migrations/0041-settings-audit.ts'
import { newestLenses } from '#server/platform/db/migrations/0042-newest-lenses.ts'
import { pcpLetters } from '#server/platform/db/migrations/0043-pcp-letters.ts'
import { knownTablets } from '#server/platform/db/migrations/0044-known-tablets.ts'
import { securityLog } from '#server/platform/db/migrations/0049-security-log.ts'
import { auditChain } from '#server/platform/db/migrations/0050-audit-chain.ts'
import { closedCountsAddUp } from '#server/platform/db/migrations/0053-closed-counts-add-up.ts'
import { heldCommands } from '#server/platform/db/migrations/0046-held-commands.ts'
import { deliveredBy } from '#server/platform/db/migrations/0047-delivered-by.ts'
import { documentNumbers } from '#server/platform/db/migrations/0161-document-numbers.ts'

/** Every migration by its name, which is also its place in the order. One that was released never changes. */
export const migrations: Record<string, Migration> = {
  '0001-first-tables': firstTables,
  '0002-settings-scope': settingsScope,
  '0003-counts-in-history': countsInHistory,
  '0004-frozen-items': frozenItems,
  '0005-unconfirmed-rotations': unconfirmedRotations,
  '0006-device-reports': deviceReports,
  '0007-tablets': tablets,
  '0008-patients': patients,
  '0009-prescriptions': prescriptions,
  '0010-insurance': insurance,
  '0011-patient-files': patientFiles,
  '0012-messages': messages,
  '0016-imports': imports,
  '0017-invoices': invoices,
  '0018-removed-tablets': removedTablets,
  '0019-appointments': appointments,
  '0020-pcps': pcps,
  '0021-portal': portal,
  '0022-file-thumbnails': fileThumbnails,
  '0023-withdrawn-prescriptions': withdrawnPrescriptions,
  '0024-prescription-scans': prescriptionScans,
  '0027-stock-lists': stockLists,
  '0030-frame-library': frameLibrary,
  '0031-provider-numbers': providerNumbers,
  '0032-transfers': transfers,
  '0033-labels': labels,
  '0034-store-invoices': storeInvoices,
  '0035-vendor-returns': vendorReturns,
  '0036-learned-upcs': learnedUpcs,
  '0037-patient-returns': patientReturns,
  '0038-model-photos': modelPhotos,
  '0041-settings-audit': settingsAudit,
  '0042-newest-lenses': newestLenses,
  '0043-pcp-letters': pcpLetters,
  '0044-known-tablets': knownTablets,
  '0049-security-log': securityLog,
  '0050-audit-chain': auditChain,
  '0053-closed-counts-add-up': closedCountsAddUp,
  '0046-held-commands': heldCommands,
  '0047-delivered-by': deliveredBy,
  '0160-security-settings': securitySettings,
  '0161-document-numbers': documentNumbers,
}
