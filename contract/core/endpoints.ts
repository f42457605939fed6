import { appointmentEndpoints } from '#contract/calendar/appointments.ts'
import type { Endpoint } from '#contract/core/endpoint.ts'
import { countSheetEndpoints } from '#contract/counts/count-sheets.ts'
import { frameLibraryEndpoints } from '#contract/library/frame-library.ts'
import { inventoryEndpoints } from '#contract/stock/frames.ts'
import { labelEndpoints } from '#contract/stock/labels.ts'
import { letterheadEndpoints } from '#contract/settings/letterhead.ts'
import { messageEndpoints } from '#contract/patients/messages.ts'
import { modelPhotoEndpoints } from '#contract/library/model-photos.ts'
import { invoiceEndpoints } from '#contract/money/invoices.ts'
import { heldWorkEndpoints } from '#contract/sync/held-work.ts'
import { insuranceEndpoints } from '#contract/insurance/insurance.ts'
import { operationsEndpoints } from '#contract/core/operations.ts'
import { patientFileEndpoints } from '#contract/patients/patient-files.ts'
import { patientImportEndpoints } from '#contract/patients/patient-import.ts'
import { patientReturnEndpoints } from '#contract/returns/patient-returns.ts'
import { patientEndpoints } from '#contract/patients/patients.ts'
import { pcpLetterEndpoints } from '#contract/patients/pcp-letters.ts'
import { pcpEndpoints } from '#contract/patients/pcps.ts'
import { portalEndpoints } from '#contract/patients/portal.ts'
import { priceBookEndpoints } from '#contract/library/price-book.ts'
import { prescriptionEndpoints } from '#contract/rx/prescriptions.ts'
import { providerEndpoints } from '#contract/settings/providers.ts'
import { securityLogEndpoints } from '#contract/people/security-log.ts'
import { sessionEndpoints } from '#contract/people/session.ts'
import { settingsEndpoints } from '#contract/settings/settings.ts'
import { settingsChangeEndpoints } from '#contract/settings/settings-changes.ts'
import { stockEndpoints } from '#contract/stock/stock.ts'
import { storeInvoiceEndpoints } from '#contract/receiving/store-invoices.ts'
import { syncEndpoints } from '#contract/sync/sync.ts'
import { tabletEndpoints } from '#contract/people/tablets.ts'
import { timeCardEndpoints } from '#contract/people/time-card.ts'
import { transferEndpoints } from '#contract/stock/transfers.ts'
import { vendorFileEndpoints } from '#contract/receiving/vendor-files.ts'
import { vendorReturnEndpoints } from '#contract/returns/vendor-returns.ts'

/** The one table of every call. The server does not compile while one of them has no handler. */
export const endpoints = {
  ...sessionEndpoints,
  ...timeCardEndpoints,
  ...inventoryEndpoints,
  ...stockEndpoints,
  ...transferEndpoints,
  ...labelEndpoints,
  ...storeInvoiceEndpoints,
  ...vendorFileEndpoints,
  ...vendorReturnEndpoints,
  ...patientReturnEndpoints,
  ...frameLibraryEndpoints,
  ...modelPhotoEndpoints,
  ...priceBookEndpoints,
  ...countSheetEndpoints,
  ...patientEndpoints,
  ...appointmentEndpoints,
  ...messageEndpoints,
  ...invoiceEndpoints,
  ...patientFileEndpoints,
  ...insuranceEndpoints,
  ...prescriptionEndpoints,
  ...patientImportEndpoints,
  ...pcpEndpoints,
  ...pcpLetterEndpoints,
  ...portalEndpoints,
  ...settingsEndpoints,
  ...settingsChangeEndpoints,
  ...providerEndpoints,
  ...letterheadEndpoints,
  ...tabletEndpoints,
  ...securityLogEndpoints,
  ...syncEndpoints,
  ...heldWorkEndpoints,
  ...operationsEndpoints,
} as const satisfies Record<string, Endpoint>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
