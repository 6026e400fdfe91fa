import { describeDifferential } from './differential/describe';

describeDifferential(1);
