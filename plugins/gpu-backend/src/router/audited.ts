import {
  AuditorService,
  AuditorServiceEventSeverityLevel,
} from '@backstage/backend-plugin-api';
import { JsonObject } from '@backstage/types';
import { Request, Response } from 'express';

/**
 * A handler whose call is audited, allowed or denied: reads are of low severity,
 * writes of medium. Meta names things, never payloads.
 */
export function audited<Q extends Request, S extends Response>(
  auditor: AuditorService,
  event: {
    id: string;
    severity: AuditorServiceEventSeverityLevel;
    meta?: (req: Q) => JsonObject;
  },
  handler: (req: Q, res: S) => Promise<void>,
): (req: Q, res: S) => Promise<void> {
  return async (req, res) => {
    const entry = await auditor.createEvent({
      eventId: event.id,
      severityLevel: event.severity,
      request: req,
      meta: event.meta?.(req),
    });
    try {
      await handler(req, res);
    } catch (error) {
      await entry.fail({ error: error as Error });
      throw error;
    }
    await entry.success();
  };
}
