import type { Context } from '../../platform/context/context.ts'
import { addTask } from '../../platform/queue/add-task.ts'
import { getMetricType } from '../monitor-model/metric-types.ts'
import type { MonitorWithTarget } from '../monitor-model/monitor-rows.ts'
import type { MeasurementRow } from './measurement-rows.ts'

export const FAILING_ROWS_TASK = 'failing_rows'

/** Queues the sample of rows behind measurements outside their limits. */
export const queueFailingRows = async (
  ctx: Context,
  measurements: readonly MeasurementRow[],
  monitors: ReadonlyMap<string, MonitorWithTarget>,
): Promise<void> => {
  for (const { id, monitor, outside, origin } of measurements)
    if (outside && origin === 'run' && getMetricType(monitors.get(monitor)!.metric_type).sampled)
      await addTask(ctx.db, FAILING_ROWS_TASK, { measurement: id }, { maxAttempts: 1 })
}
