import { afterEach, beforeEach, expect, test } from 'vitest'
import { unreachable } from '#src/api/call.ts'
import type { Device } from '#src/sync/device/device.ts'
import { FakeClinic, person } from '#tests/support/fake-clinic.ts'
import { FakeTablet } from '#tests/support/test-device.ts'
import { receivePieces } from './actions.ts'

const invoice = '0199d0f0-0000-7000-8000-000000000001'
const asked = { receive_id: '0199d0f0-0000-7000-8000-000000000002', quantity: 1, name: 'Cove', code: '036000291452' }

let tablet: FakeTablet
let device: Device

beforeEach(async () => {
  tablet = new FakeTablet(new FakeClinic().answer, { haste: 200 })
  tablet.network.online = false
  device = await tablet.open()
  await device.session.signIn(person('ben'))
})
afterEach(() => tablet.close())

test('a scan that the server did not answer keeps its author, although another user has signed in meanwhile', async () => {
  const { connection, outbox, session } = device
  const call = async () => {
    await session.signIn(person('maya'))
    return unreachable('no answer')
  }
  connection.setState({ online: true })
  expect(await receivePieces({ call, connection, outbox, session }, invoice, asked)).toEqual({ kind: 'kept', because: 'no-answer' })
  const waiting = await device.hot.outbox.toArray()
  expect(waiting).toMatchObject([{ author: { id_user: 2 }, capture_token: 'capture-ben', body: { receive_id: asked.receive_id } }])
})
