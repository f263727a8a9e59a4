// https://www.zabbix.com/documentation/6.0/en/manual/config/notifications/media/webhook
var parameters = JSON.parse(value);
var request = new HttpRequest();
var fields = ["target", "state", "reason"].map(function (name) {
  return name + "=" + encodeURIComponent(parameters[name]);
});
request.addHeader("Content-Type: application/x-www-form-urlencoded");
request.post(parameters.url, fields.join("&"));
if (request.getStatus() < 200 || request.getStatus() > 299) {
  throw "The receiver answered with status " + request.getStatus() + ".";
}
return "OK";
