<?php
// https://www.zabbix.com/documentation/6.0/en/manual/installation/frontend: what its installer would write.
$DB['TYPE'] = 'POSTGRESQL';
$DB['SERVER'] = '{{folder}}';
$DB['PORT'] = '{{databasePort}}';
$DB['DATABASE'] = 'zabbix';
$DB['USER'] = 'zabbix';
$DB['PASSWORD'] = '';
$DB['SCHEMA'] = '';
$DB['ENCRYPTION'] = false;
$DB['DOUBLE_IEEE754'] = true;
$ZBX_SERVER = '{{address}}';
$ZBX_SERVER_PORT = '{{serverPort}}';
$IMAGE_FORMAT_DEFAULT = IMAGE_FORMAT_PNG;
