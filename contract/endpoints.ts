import { appointmentEndpoints } from '#contract/appointments.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { countSheetEndpoints } from '#contract/count-sheets.ts'
import { frameLibraryEndpoints } from '#contract/frame-library.ts'
import { inventoryEndpoints } from '#contract/frames.ts'
import { labelEndpoints } from '#contract/labels.ts'
import { letterheadEndpoints } from '#contract/letterhead.ts'
import { messageEndpoints } from '#contract/messages.ts'
import { modelPhotoEndpoints } from '#contract/model-photos.ts'
import { invoiceEndpoints } from '#contract/invoices.ts'
import { heldWorkEndpoints } from '#contract/held-work.ts'
import { insuranceEndpoints } from '#contract/insurance.ts'
import { operationsEndpoints } from '#contract/operations.ts'
import { patientFileEndpoints } from '#contract/patient-files.ts'
import { patientImportEndpoints } from '#contract/patient-import.ts'
import { patientReturnEndpoints } from '#contract/patient-returns.ts'
import { patientEndpoints } from '#contract/patients.ts'
import { pcpLetterEndpoints } from '#contract/pcp-letters.ts'
import { pcpEndpoints } from '#contract/pcps.ts'
import { portalEndpoints } from '#contract/portal.ts'
import { priceBookEndpoints } from '#contract/price-book.ts'
import { prescriptionEndpoints } from '#contract/prescriptions.ts'
import { providerEndpoints } from '#contract/providers.ts'
import { securityLogEndpoints } from '#contract/security-log.ts'
import { sessionEndpoints } from '#contract/session.ts'
import { settingsEndpoints } from '#contract/settings.ts'
import { settingsChangeEndpoints } from '#contract/settings-changes.ts'
import { stockEndpoints } from '#contract/stock.ts'
import { storeInvoiceEndpoints } from '#contract/store-invoices.ts'
import { syncEndpoints } from '#contract/sync.ts'
import { tabletEndpoints } from '#contract/tablets.ts'
import { timeCardEndpoints } from '#contract/time-card.ts'
import { transferEndpoints } from '#contract/transfers.ts'
import { vendorFileEndpoints } from '#contract/vendor-files.ts'
import { vendorReturnEndpoints } from '#contract/vendor-returns.ts'

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
