import { createContext, use, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { ConnectionState, Device, SessionState } from '#src/sync/device/device.ts'

const DeviceContext = createContext<Device | null>(null)

/** Gives the device to every screen below. */
export function DeviceProvider({ device, children }: { device: Device; children: ReactNode }) {
  return <DeviceContext value={device}>{children}</DeviceContext>
}

/** The device this app runs on. */
export function useDevice(): Device {
  const device = use(DeviceContext)
  if (!device) throw new Error('useDevice stands outside of a DeviceProvider')
  return device
}

/** One part of the session, kept current: `useSession((session) => session.home)`. */
export function useSession<T>(select: (session: SessionState) => T): T {
  return useStore(useDevice().session.state, select)
}

/** One part of the connection's state, kept current. */
export function useConnection<T>(select: (connection: ConnectionState) => T): T {
  return useStore(useDevice().connection, select)
}
