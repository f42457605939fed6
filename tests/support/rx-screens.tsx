import 'fake-indexeddb/auto'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import * as v from 'valibot'
import type { LensBrand } from '#contract/library/lens-brands.ts'
import { type Prescription, prescription, rxInput, type RxKind } from '#contract/rx/prescription.ts'
import type { Provider } from '#contract/settings/providers.ts'
import { type StoreOpticalSettings, usualOpticalSettings } from '#contract/settings/settings.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import type { HomeInfo } from '#contract/people/session.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import { mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { testPatient } from '#tests/support/test-patients.ts'
import { RxListPage } from '#src/features/clinic/prescriptions/rx-list-page.tsx'
import { RxNewPage } from '#src/features/clinic/prescriptions/rx-new-page.tsx'
import { RxPage } from '#src/features/clinic/prescriptions/rx-page.tsx'

export const abigail = testPatient(7)
export const idRx = '0190a000-0000-7000-8000-0000000000aa'
const days = { exam_date: '2026-11-20', issue_date: '2026-11-20', expiry_date: '2028-11-20' }
export const draft: Prescription = v.parse(prescription, {
  ...v.parse(rxInput, { rx_kind: 'spectacle', ...days }),
  id_rx: idRx,
  id_patient: abigail.id,
  status: 'draft',
  signature: null,
  signed_by: null,
  signed_at: null,
  created_at: '2026-11-20T10:00:00.000Z',
  created_by: 'Iris Lindqvist',
  version: 1,
  withdrawn: null,
})

export const signed: Prescription = {
  ...draft,
  status: 'active',
  signature: { kind: 'typed', name: 'Iris' },
  signed_by: 'Iris',
  signed_at: draft.created_at,
}

const maya: Provider = { id_user: mayasHome.id_user, name: 'Maya Okonjo', license_no: 'OPT-7', npi: null, is_here: true }
export const home: HomeInfo = { ...mayasHome, permissions: ['patient.read', 'rx.enter', 'rx.sign'] }

/** Shows Abigail’s prescription, or her list. The returned `server` plays the server. */
export function open(
  options: {
    list?: boolean
    /** Shows the form of a new prescription. */
    newKind?: RxKind
    rx?: Prescription
    hot?: HotDatabase
    home?: HomeInfo
    settings?: StoreOpticalSettings
    files?: unknown[]
  } = {},
) {
  const server = {
    rx: options.rx ?? draft,
    reachable: true,
    sent: [] as { body: Record<string, unknown> }[],
    brands: [] as LensBrand[] | null,
    /** The values that the draft gets without this page. */
    signedMeanwhile: null as Partial<Prescription> | null,
  }
  const made = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      if (!server.reachable) return unreachable
      if (endpoint.path === '/api/patient/{id}') return { ok: true, value: { ...abigail, ssn: null, store_name: 'Harbour Street' } }
      if (endpoint.path === '/api/patient/choices') return { ok: true, value: { providers: [], locations: [] } }
      if (endpoint.path === '/api/settings/providers') return { ok: true, value: { providers: [maya] } }
      if (endpoint.path === '/api/settings/optical') return { ok: true, value: options.settings ?? usualOpticalSettings }
      if (endpoint.path === '/api/patient/rx-list') return { ok: true, value: { rx_list: [server.rx] } }
      if (endpoint.path.endsWith('/generate-filename-doc')) return { ok: true, value: { filename: 'doc-1', expires_at: draft.created_at } }
      if (endpoint.path === '/api/patient/lens-brands') return server.brands ? { ok: true, value: { brands: server.brands } } : unreachable
      if (endpoint.path === '/upload/') return { ok: true, value: 'patient-files/1' }
      if (endpoint.path === '/api/patient/file') return { ok: true, value: { files: options.files ?? [] } }
      if (endpoint.path === '/api/patient/rx/{id}/scan') {
        const { body } = request as { body: { id_file: string | null } }
        server.rx = { ...server.rx, scan: body.id_file === null ? null : { id_file: body.id_file, filename: 'Paper.pdf' } }
        return { ok: true, value: server.rx }
      }
      if (endpoint.path === '/api/patient/rx/{id}/withdraw') {
        const { body } = request as { body: { status: 'cancelled'; reason: string } }
        const withdrawn = { at: draft.created_at, by: 'Iris Lindqvist', reason: body.reason }
        server.rx = { ...server.rx, status: body.status, withdrawn, version: server.rx.version + 1 }
      }
      if (endpoint.method === 'PUT' && server.signedMeanwhile) {
        server.rx = { ...server.rx, ...server.signedMeanwhile } as Prescription
        return refused(409, 'rx-signed')
      }
      if (endpoint.method === 'PUT') {
        const { body } = request as { body: Record<string, unknown> }
        server.sent.push({ body })
        const signed = body['signature']
          ? { status: 'active', signature: body['signature'], signed_by: 'Iris', signed_at: draft.created_at }
          : {}
        server.rx = { ...server.rx, ...(body['rx'] as object), ...signed, version: server.rx.version + 1 } as Prescription
      }
      return { ok: true, value: server.rx }
    },
  })
  made.state.setState({ home: options.home ?? home })
  if (options.hot) Object.assign(made.device, { hot: options.hot })
  const page = options.list ? (
    <RxListPage idPatient={abigail.id} />
  ) : options.newKind ? (
    <RxNewPage idPatient={abigail.id} kind={options.newKind} />
  ) : (
    <RxPage idPatient={abigail.id} idRx={idRx} />
  )
  const shown = render(<DeviceProvider device={made.device}>{page}</DeviceProvider>)
  return { ...made, server, ...shown, user: userEvent.setup({ delay: null }) }
}
export const idSent = ({ request }: { request: unknown }) => (request as { body: { id_rx?: string } }).body.id_rx
export const powers = async () => within(await screen.findByRole('region', { name: 'Powers' }))
